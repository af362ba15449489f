#include "engine/views/venue_memory.h"

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/catch_kj.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/canonical_message.h"
#include "engine/messages/note_codec.h"
#include "engine/messages/order_note.h"
#include "engine/state/snapshot_parts.h"
#include "engine/views/login_setting.h"
#include "engine/views/venue_memory.capnp.h"

namespace engine {
namespace {

constexpr std::array kActions = {CommandKind::kOpenMarket, CommandKind::kCloseMarket,
                                 CommandKind::kDetermineMarket, CommandKind::kSettleMarket};

bool IsAction(CommandKind kind) { return std::ranges::count(kActions, kind) != 0; }

// One block of an account's ids.
struct IdBlock {
  AccountId account;
  uint64_t number = 0;
  UsedIds::Block block = {};

  auto Place() const { return std::pair(account, number); }
};

// The hash of a client's id that was text.
using TextEntry = std::pair<AccountId, Digest>;
using Action = std::pair<MarketId, CommandKind>;
using AccountEntry = std::pair<AccountId, VenueMemory::Account>;
using LoginEntry = std::pair<std::string, bool>;
using FeesEntry = std::pair<MarketId, FeeSchedule>;
using PositionLimitEntry = std::pair<std::pair<AccountId, MarketId>, Quantity>;

void Write(const AccountEntry& entry, schema::RememberedAccount::Builder out) {
  const auto& [id, account] = entry;
  out.setAccount(id.value());
  out.setIsOpen(account.is_open);
  out.setIsFunded(account.is_funded);
  out.setOpenOrdersMax(account.limits.open_orders_max);
  out.setOrderQuantityMax(account.limits.order_quantity_max.units());
  out.setOrderNotionalMax(account.limits.order_notional_max.micros());
  out.setOrdersPerSecondMax(account.limits.orders_per_second_max);
  out.setGroupLast(account.group_last.value());
  out.setGroupCount(account.group_count);
}

AccountEntry Read(schema::RememberedAccount::Reader in) {
  return {AccountId(in.getAccount()),
          {.is_open = in.getIsOpen(),
           .is_funded = in.getIsFunded(),
           .limits = {.open_orders_max = in.getOpenOrdersMax(),
                      .order_quantity_max = Quantity::FromUnits(in.getOrderQuantityMax()),
                      .order_notional_max = Money::FromMicros(in.getOrderNotionalMax()),
                      .orders_per_second_max = in.getOrdersPerSecondMax()},
           .group_last = GroupId(in.getGroupLast()),
           .group_count = in.getGroupCount()}};
}

void Write(const PositionLimitEntry& entry, schema::RememberedPositionLimit::Builder out) {
  out.setAccount(entry.first.first.value());
  out.setMarket(entry.first.second.value());
  out.setLimit(entry.second.units());
}

PositionLimitEntry Read(schema::RememberedPositionLimit::Reader in) {
  return {{AccountId(in.getAccount()), MarketId(in.getMarket())},
          Quantity::FromUnits(in.getLimit())};
}

void Write(const IdBlock& ids, schema::RememberedIds::Builder out) {
  out.setAccount(ids.account.value());
  out.setBlock(ids.number);
  std::array<std::byte, sizeof(UsedIds::Block)> bits;
  for (size_t i = 0; i < ids.block.size(); ++i) {
    StoreLittleEndian(ids.block[i], bits.data() + sizeof(uint64_t) * i);
  }
  out.setBits({reinterpret_cast<const capnp::byte*>(bits.data()), bits.size()});
}

// A block that a memory cannot have is empty.
IdBlock Read(schema::RememberedIds::Reader in) {
  IdBlock ids = {.account = AccountId(in.getAccount()), .number = in.getBlock()};
  const auto bits = in.getBits();
  if (bits.size() != sizeof(UsedIds::Block) || ids.number > UsedIds::kBlockNumberMax) return ids;
  for (size_t i = 0; i < ids.block.size(); ++i) {
    ids.block[i] = LoadLittleEndian<uint64_t>(reinterpret_cast<const std::byte*>(bits.begin()) +
                                              sizeof(uint64_t) * i);
  }
  return ids;
}

void Write(const TextEntry& text, schema::RememberedText::Builder out) {
  out.setAccount(text.first.value());
  out.setHigh(text.second.high);
  out.setLow(text.second.low);
}

TextEntry Read(schema::RememberedText::Reader in) {
  return {AccountId(in.getAccount()), Digest{.low = in.getLow(), .high = in.getHigh()}};
}

void Write(const Action& action, schema::RememberedAction::Builder out) {
  out.setMarket(action.first.value());
  out.setKind(static_cast<uint16_t>(action.second));
}

Action Read(schema::RememberedAction::Reader in) {
  return {MarketId(in.getMarket()), static_cast<CommandKind>(in.getKind())};
}

void Write(const LoginEntry& login, schema::RememberedLogin::Builder out) {
  out.setName(login.first);
  out.setCancelsAtEnd(login.second);
}

LoginEntry Read(schema::RememberedLogin::Reader in) {
  const capnp::Text::Reader name = in.getName();
  return {std::string(name.begin(), name.size()), in.getCancelsAtEnd()};
}

void Write(const FeesEntry& entry, schema::RememberedFees::Builder out) {
  out.setMarket(entry.first.value());
  out.setTakerCoefficient(entry.second.taker_coefficient);
  out.setMakerCoefficient(entry.second.maker_coefficient);
  out.setMultiplier(entry.second.multiplier);
}

FeesEntry Read(schema::RememberedFees::Reader in) {
  return {MarketId(in.getMarket()),
          {.taker_coefficient = in.getTakerCoefficient(),
           .maker_coefficient = in.getMakerCoefficient(),
           .multiplier = in.getMultiplier()}};
}

std::vector<std::byte> Encode(auto fill) {
  capnp::MallocMessageBuilder message;
  fill(message.initRoot<schema::VenueMemoryPart>());
  return ToBytes(capnp::messageToFlatArray(message));
}

// Gives the entries to the sink, some at a time. `init` makes the list of a part.
template <typename Entries>
absl::Status SaveEach(const Entries& entries, auto init, SnapshotSink sink) {
  auto next = entries.begin();
  for (size_t left = entries.size(); left > 0;) {
    const size_t count = std::min(left, kSnapshotPartEntities);
    RETURN_IF_ERROR(sink(Encode([&](schema::VenueMemoryPart::Builder part) {
      auto list = init(part, static_cast<unsigned>(count));
      for (unsigned i = 0; i < count; ++i, ++next) Write(*next, list[i]);
    })));
    left -= count;
  }
  return absl::OkStatus();
}

absl::Status Invalid(absl::string_view what) {
  return absl::DataLossError(absl::StrCat("the memory of a venue has ", what));
}

}  // namespace

void VenueMemory::OnApplied(const Command& command, Bytes attachment,
                            std::span<const Event> events) {
  for (const Event& event : events) {
    switch (event.kind) {
      case EventKind::kAccepted:
      case EventKind::kReplaced:
        MutableIdsOf(command.account).Add(command.client_order_id.value());
        AddText(command.account, attachment);
        break;
      case EventKind::kAmended:
        AddText(command.account, attachment);
        break;
      case EventKind::kGroupDefined: {
        Account& account = accounts_[command.account];
        if (command.group() <= account.group_last) break;
        account.group_last = command.group();
        ++account.group_count;
        break;
      }
      case EventKind::kGroupDeleted: {
        uint32_t& count = accounts_[command.account].group_count;
        if (count > 0) --count;
        break;
      }
      case EventKind::kAccountOpened:
        accounts_[command.account].is_open = true;
        break;
      case EventKind::kBalance:
        if (command.kind == CommandKind::kDeposit) accounts_[command.account].is_funded = true;
        break;
      case EventKind::kLimitsSet:
        if (const auto limits = DecodeRiskLimits(attachment); limits.ok()) {
          accounts_[command.account].limits = *limits;
        }
        break;
      case EventKind::kPositionLimitSet:
        position_limits_[{command.account, command.market}] = event.quantity;
        if (event.quantity.is_zero()) position_limits_.erase({command.account, command.market});
        break;
      case EventKind::kMarketState:
        if (IsAction(command.kind)) done_.emplace(command.market, command.kind);
        break;
      case EventKind::kFeesSet:
        if (const auto fees = DecodeFeeSchedule(attachment); fees.ok()) {
          fees_[command.market] = *fees;
        }
        break;
      case EventKind::kNoted:
        OnNote(attachment);
        break;
      default:
        break;
    }
  }
}

void VenueMemory::AddText(AccountId account, Bytes attachment) {
  const std::optional<absl::string_view> text = DecodeOrderNote(attachment);
  if (text.has_value()) texts_[account].Add(*text);
}

const UsedTexts& VenueMemory::TextsOf(AccountId account) const {
  static const UsedTexts* const kNone = std::make_unique<const UsedTexts>().release();
  const auto found = texts_.find(account);
  return found == texts_.end() ? *kNone : found->second;
}

void VenueMemory::OnNote(Bytes attachment) {
  const absl::StatusOr<Note> note = DecodeNote(attachment);
  if (!note.ok()) return;
  const std::optional<LoginSetting> setting = LoginSettingOf(*note);
  if (setting.has_value()) cancels_at_end_[setting->login] = setting->cancels_at_end;
}

std::optional<bool> VenueMemory::CancelsAtEnd(absl::string_view login) const {
  const auto found = cancels_at_end_.find(std::string(login));
  if (found == cancels_at_end_.end()) return std::nullopt;
  return found->second;
}

std::optional<FeeSchedule> VenueMemory::FeesOf(MarketId market) const {
  const auto found = fees_.find(market);
  if (found == fees_.end()) return std::nullopt;
  return found->second;
}

const UsedIds& VenueMemory::IdsOf(AccountId account) const {
  static const UsedIds* const kNone = std::make_unique<const UsedIds>().release();
  const auto found = ids_.find(account);
  return found == ids_.end() ? *kNone : *found->second;
}

VenueMemory::Account VenueMemory::AccountOf(AccountId account) const {
  const auto found = accounts_.find(account);
  return found == accounts_.end() ? Account() : found->second;
}

std::map<MarketId, Quantity> VenueMemory::PositionLimitsOf(AccountId account) const {
  std::map<MarketId, Quantity> limits;
  auto next = position_limits_.lower_bound({account, MarketId()});
  for (; next != position_limits_.end() && next->first.first == account; ++next) {
    limits.emplace(next->first.second, next->second);
  }
  return limits;
}

Digest VenueMemory::MemoryDigest() const {
  Digester digester;
  const absl::Status saved = Save([&](Bytes part) {
    digester.Add(part);
    return absl::OkStatus();
  });
  CHECK_OK(saved);
  return digester.Finish();
}

absl::Status VenueMemory::Save(SnapshotSink sink) const {
  RETURN_IF_ERROR(SaveEach(
      accounts_,
      [](schema::VenueMemoryPart::Builder part, unsigned count) {
        return part.initAccounts(count);
      },
      sink));
  RETURN_IF_ERROR(SaveEach(
      position_limits_,
      [](schema::VenueMemoryPart::Builder part, unsigned count) {
        return part.initPositionLimits(count);
      },
      sink));
  std::vector<IdBlock> blocks;
  for (const auto& [account, ids] : ids_) {
    for (const auto& [number, block] : ids->blocks()) blocks.push_back({account, number, block});
  }
  std::ranges::sort(blocks, {}, &IdBlock::Place);
  RETURN_IF_ERROR(SaveEach(
      blocks,
      [](schema::VenueMemoryPart::Builder part, unsigned count) { return part.initIds(count); },
      sink));
  std::vector<TextEntry> texts;
  for (const auto& [account, used] : texts_) {
    for (const Digest& hash : used.hashes()) texts.emplace_back(account, hash);
  }
  std::ranges::sort(texts);
  RETURN_IF_ERROR(SaveEach(
      texts,
      [](schema::VenueMemoryPart::Builder part, unsigned count) { return part.initTexts(count); },
      sink));
  RETURN_IF_ERROR(SaveEach(
      done_,
      [](schema::VenueMemoryPart::Builder part, unsigned count) { return part.initActions(count); },
      sink));
  RETURN_IF_ERROR(SaveEach(
      cancels_at_end_,
      [](schema::VenueMemoryPart::Builder part, unsigned count) { return part.initLogins(count); },
      sink));
  RETURN_IF_ERROR(SaveEach(
      fees_,
      [](schema::VenueMemoryPart::Builder part, unsigned count) { return part.initFees(count); },
      sink));
  return sink(Encode([&](schema::VenueMemoryPart::Builder part) {
    auto end = part.initEnd();
    end.setAccounts(accounts_.size());
    end.setIds(blocks.size());
    end.setActions(done_.size());
    end.setPositionLimits(position_limits_.size());
    end.setLogins(cancels_at_end_.size());
    end.setTexts(texts.size());
    end.setFees(fees_.size());
  }));
}

// Loads parts in order. Each entry must come after the one before it, so that none is there twice.
class VenueMemory::Loader {
 public:
  explicit Loader(VenueMemory& memory) : memory_(memory) {}

  absl::Status LoadPart(Bytes bytes) {
    ASSIGN_OR_RETURN(const auto words, ToWords("a part", bytes, kSnapshotPartBytesMax));
    absl::Status status;
    RETURN_IF_ERROR(CatchKj([&] {
      capnp::ReaderOptions options;
      options.traversalLimitInWords = 2 * words.size();
      capnp::FlatArrayMessageReader message(words, options);
      status = Load(message.getRoot<schema::VenueMemoryPart>());
    }));
    return status;
  }

  bool has_ended() const { return has_ended_; }

 private:
  absl::Status Load(schema::VenueMemoryPart::Reader part) {
    if (has_ended_) return Invalid("a part after its end");
    switch (part.which()) {
      case schema::VenueMemoryPart::ACCOUNTS:
        return AddEach(part.getAccounts());
      case schema::VenueMemoryPart::POSITION_LIMITS:
        return AddEach(part.getPositionLimits());
      case schema::VenueMemoryPart::IDS:
        return AddEach(part.getIds());
      case schema::VenueMemoryPart::TEXTS:
        return AddEach(part.getTexts());
      case schema::VenueMemoryPart::ACTIONS:
        return AddEach(part.getActions());
      case schema::VenueMemoryPart::LOGINS:
        return AddEach(part.getLogins());
      case schema::VenueMemoryPart::FEES:
        return AddEach(part.getFees());
      case schema::VenueMemoryPart::END:
        return End(part.getEnd());
      default:
        return Invalid("a part of an unknown kind; a newer build may know it");
    }
  }

  absl::Status AddEach(auto list) {
    for (const auto entry : list) RETURN_IF_ERROR(Add(Read(entry)));
    return absl::OkStatus();
  }

  absl::Status Add(const AccountEntry& entry) {
    auto& all = memory_.accounts_;
    if (!all.empty() && all.rbegin()->first >= entry.first) return Invalid("accounts out of order");
    if (entry.second == Account()) return Invalid("an account without content");
    all.insert(all.end(), entry);
    return absl::OkStatus();
  }

  absl::Status Add(const PositionLimitEntry& entry) {
    auto& all = memory_.position_limits_;
    if (!all.empty() && all.rbegin()->first >= entry.first) {
      return Invalid("position limits out of order");
    }
    if (entry.second.is_zero()) return Invalid("a position limit of zero");
    all.insert(all.end(), entry);
    return absl::OkStatus();
  }

  absl::Status Add(const IdBlock& ids) {
    if (ids.block == UsedIds::Block()) return Invalid("a block of client ids that is none");
    if (block_count_ > 0 && last_block_.Place() >= ids.Place()) {
      return Invalid("blocks of client ids out of order");
    }
    UsedIds& of_account = memory_.MutableIdsOf(ids.account);
    if (of_account.blocks().size() == UsedIds::kBlocksMax) {
      return Invalid(
          absl::StrCat("more than ", UsedIds::kBlocksMax, " blocks of an account's ids"));
    }
    of_account.AddBlock(ids.number, ids.block);
    last_block_ = ids;
    ++block_count_;
    return absl::OkStatus();
  }

  absl::Status Add(const TextEntry& text) {
    if (text_count_ > 0 && last_text_ >= text) return Invalid("client ids of text out of order");
    UsedTexts& of_account = memory_.texts_[text.first];
    if (!of_account.has_room()) {
      return Invalid(absl::StrCat("more than ", UsedTexts::kTextsMax, " texts of an account"));
    }
    of_account.AddHash(text.second);
    last_text_ = text;
    ++text_count_;
    return absl::OkStatus();
  }

  absl::Status Add(const Action& action) {
    auto& all = memory_.done_;
    if (!IsAction(action.second)) return Invalid("a command that is no action of a market");
    if (!all.empty() && *all.rbegin() >= action) return Invalid("actions out of order");
    all.insert(all.end(), action);
    return absl::OkStatus();
  }

  absl::Status Add(const LoginEntry& login) {
    auto& all = memory_.cancels_at_end_;
    if (!IsLoginName(login.first)) return Invalid("a name that no login can have");
    if (!all.empty() && all.rbegin()->first >= login.first) return Invalid("logins out of order");
    all.insert(all.end(), login);
    return absl::OkStatus();
  }

  absl::Status Add(const FeesEntry& entry) {
    auto& all = memory_.fees_;
    if (!IsSound(entry.second)) return Invalid("fees that no command can set");
    if (!all.empty() && all.rbegin()->first >= entry.first) return Invalid("fees out of order");
    all.insert(all.end(), entry);
    return absl::OkStatus();
  }

  absl::Status End(schema::VenueMemoryEnd::Reader end) {
    has_ended_ = true;
    if (end.getAccounts() == memory_.accounts_.size() && end.getIds() == block_count_ &&
        end.getActions() == memory_.done_.size() &&
        end.getPositionLimits() == memory_.position_limits_.size() &&
        end.getLogins() == memory_.cancels_at_end_.size() && end.getTexts() == text_count_ &&
        end.getFees() == memory_.fees_.size()) {
      return absl::OkStatus();
    }
    return Invalid("other counts of entries than it has entries");
  }

  VenueMemory& memory_;
  uint64_t block_count_ = 0;
  IdBlock last_block_;
  uint64_t text_count_ = 0;
  TextEntry last_text_;
  bool has_ended_ = false;
};

absl::Status VenueMemory::Load(SnapshotSource source) {
  Loader loader(*this);
  for (;;) {
    ASSIGN_OR_RETURN(const std::optional<Bytes> part, source());
    if (!part.has_value()) break;
    RETURN_IF_ERROR(loader.LoadPart(*part));
  }
  return loader.has_ended() ? absl::OkStatus() : Invalid("no end");
}

}  // namespace engine
