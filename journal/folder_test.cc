// What other programs may do to a journal's folder and its names while a writer works:
// testing/campaign.h describes each stage.

#include "gtest/gtest.h"
#include "journal/testing/campaign.h"

namespace journal {
namespace {

TEST(Folder, AWriterContinuesInItsOwnFolderAfterARename) { EXPECT_EQ(EveryMovedFolder(), ""); }

TEST(Folder, AWriterReplacesNoFileOfAnother) { EXPECT_EQ(EveryTakenName(), ""); }

TEST(Folder, OnlyOnePruneRuns) { EXPECT_EQ(EveryPruneBesideAnother({}), ""); }

TEST(Folder, NothingIsChangedWithoutALock) { EXPECT_EQ(EveryChangeIsLocked(), ""); }

TEST(Folder, ItsNameIsDurableAlsoWhereItExisted) { EXPECT_EQ(EveryNewFolder(), ""); }

}  // namespace
}  // namespace journal
