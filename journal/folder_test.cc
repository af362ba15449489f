// What others may do to a journal's folder and its names while a writer is at work:
// testing/campaign.h says what each stage is.

#include "gtest/gtest.h"
#include "journal/testing/campaign.h"

namespace journal {
namespace {

TEST(Folder, AWriterGoesOnInItsOwnFolderWhereverThatIsMoved) { EXPECT_EQ(EveryMovedFolder(), ""); }

TEST(Folder, AWriterReplacesNoFileOfAnother) { EXPECT_EQ(EveryTakenName(), ""); }

TEST(Folder, OnlyOnePruneIsAtWork) { EXPECT_EQ(EveryPruneBesideAnother({}), ""); }

TEST(Folder, NothingIsChangedWithoutALock) { EXPECT_EQ(EveryChangeIsLocked(), ""); }

TEST(Folder, ItsNameIsDurableAlsoWhereItExisted) { EXPECT_EQ(EveryNewFolder(), ""); }

}  // namespace
}  // namespace journal
