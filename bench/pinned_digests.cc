#include "bench/pinned_digests.h"

#include <array>

namespace bench {
namespace {

constexpr std::array<PinnedDigests, 22> kSmoke = {{
    {"static", "619bb62923bf8297b2bea98447186e25", "6aed16ecc171549744ff24b4e2c610f6",
     "fc3dc0cfab89244b029d511a9faa9aca"},
    {"normal", "23d706909a8db87bcbe846ee7e694236", "f005b3e2007060c643a5647c8012e0df",
     "6c92ab4f48c763c16a5b197c2f385251"},
    {"swing_25", "9ae105422a14c95edb7545d7f4ac890b", "517751a7077bfff6de09a7fc523f74f9",
     "5e0f07c133761fc00b6b655621a6a5aa"},
    {"swing_40", "7af041c97262335f14086321927a430d", "fba5a12e02550cc718664013fa9ae712",
     "5977ea49dbffc89b67e274e20f09a355"},
    {"flash_crash", "93d7282a5b8f5765a976051cf0fe1094", "8645df444d3cb6e3cc8642c74ce5281b",
     "5c3c302068b40a94ac63e31885849bc6"},
    {"hft", "e7bcc6a8e06185802cd9aed0f38cf0ad", "2b91e8edf425d4bc70b7cbaf8745a765",
     "a308ca7ca08cc299e1f625987bd8110d"},
    {"markets_256", "0d4e9fee1b177cdef731a893356453db", "c8688a0ae55589746cc066b371dea078",
     "4dcb2bae191c3b694203c05abf5c5367"},
    {"markets_10000", "be7e0743343519ec9812a1682a719a8e", "958f4b33482f66af011a0874953db109",
     "5008b756659b90cf286bb41897faad33"},
    {"cents_on_fine_grid", "7c245bb2283435ccba9f4a1c95f1ef4b", "45bf65eccf9765ab5e97a81850b26bc8",
     "9710926182d47e184d1dd3cb8c446bd7"},
    {"sparse_100", "fc09aeda911494070861b778c2d65dc7", "023c914b533582803a6296cd7d213d9e",
     "3c0da690c42d2bf54aca450c2999648c"},
    {"sparse_1000", "69b18ef09142884a2f621660d1914c24", "ea7696032823e84d0e0b3bc8dd4c0b1c",
     "18354baa06bce9564cbe0455ea190b8d"},
    {"sparse_10000", "8e3af04c214682a181991d5907ee81b0", "3825914c4e1454e111364edeb66da18d",
     "0a2d905efec58ed02b79fe659e46dcb7"},
    {"nasdaq_open", "66ac3987412029cb92bd89ba2d6d0f26", "6343e34ababd57fa2ab10f8ea3cea1fd",
     "0bafbfa4e07e01fdae65aa39dd1a8f3d"},
    {"nasdaq_open_142", "66ac3987412029cb92bd89ba2d6d0f26", "6343e34ababd57fa2ab10f8ea3cea1fd",
     "0bafbfa4e07e01fdae65aa39dd1a8f3d"},
    {"sweep_1", "a2a5e9f1d21350cfd8819c716669f47f", "cd45d9397084f7bae019a8bd360c3d5a",
     "ad5b59ed23bb6bc8682883aaad535ed1"},
    {"sweep_10", "5b05db4005474de9f1a05ddff1acb1ac", "ed5bae214b3d80f638f26c5a5c74ea8f",
     "1794a7ebea7b5ad34fc19f46a7894c49"},
    {"sweep_100", "b503a3793d776f80138b855f658e9342", "94d830b73b24d35e78b7f1cfe653a32d",
     "5478d3b3df7aa08a7831ff8688fee4aa"},
    {"sweep_1000", "768b3647ae059b8668a434c58abb22f9", "335aec88707a7139548fc3a28a613a8a",
     "488b58c9a5b9238855dbf4e61bd51e6d"},
    {"queue_10", "e073e57a3b19555afa94796c9a544ac8", "3b98d86d9d31bb8a08b35e6a7492ac0b",
     "0de89e09cc1207fc994293ecf8f5d49d"},
    {"queue_1000000", "8cca0222a801a1ee9e705eb1c341dc3c", "72c0c0978b4d3d3c3ae5e8f3d490f881",
     "f98f43107747ee19b480de026b2bb7c5"},
    {"hft_limits", "195882a87a36250df9533412b512a440", "b744ace97a4798f1352e0f969004c5f9",
     "3a9bcfd0f5011696fad2ec37901a3706"},
    {"hft_binary", "d87dbabead7e35ce51ddfed5e9643380", "0058b719b81f3fda081a8402d47bce55",
     "ec06852e996b126cc96e611fed85fa92"},
}};
constexpr std::array<PinnedDigests, 22> kFull = {{
    {"static", "9e45f99240dece85a9c1bf1f206ec084", "a1d3f5f62e58b8e8cf8ce57e644ba080",
     "378ed33711f3d1aedd4dbb1216859d72"},
    {"normal", "ec382779b4affab32f328ec1a0c759f2", "ff5558a3e4983fcdd6934988394bf2a1",
     "064a124bca82c0715c32896332685990"},
    {"swing_25", "7729a6c7677110b2344f672325e4c143", "9f522a2c351bdab459d9fb937f7403df",
     "2feaaba7f6436a99425b8ce87a0257e4"},
    {"swing_40", "700106fb2a7324d05bd26b6bd0b4307d", "e9777449e335c7ebbabcf3333a02d78e",
     "dc7a413c558c99794e33eab7e4d4aa23"},
    {"flash_crash", "a26a0c3ded859ea66c1fb7cd326d8f52", "9ef7056f19da3dcaac82b8960c12f1c9",
     "bcd44879e11cea88d55f4dd31325a552"},
    {"hft", "b6784b1b2f7f64d3f0e3224c9d259870", "1909ed85afcb24252bee0c2419ddbeed",
     "189eacfb94d59437d5a5f1e07e6d37ec"},
    {"markets_256", "16203b0584d4055e27aaa24210a8a161", "78036b81e3bac2f4cc11b2a9073e53ed",
     "24293ebc612580f2e2530e2484b18812"},
    {"markets_10000", "9e03bc0e1aa047076c6f2f83072de0ca", "de2716a3f01ff4dd97b3e43f94387fd1",
     "f8293209999e9d5feae137bf52b95f18"},
    {"cents_on_fine_grid", "3606e6742600ae2163f70c10cc689be0", "c137ab9cbefbdf8da979b4f2b856f988",
     "c008e5a883c01af06259e97472925278"},
    {"sparse_100", "e8a46a1ab2ccdae25ba795f1acda2af4", "438f97996f0e572ee14b8a59563e860e",
     "a03286174be1e7c16c2e33c281e36640"},
    {"sparse_1000", "d216559cc414b4fc47ea41da551c6971", "fdbe4bd93c425591c58abee3152d6fb9",
     "a08303547560776e9f13cb4522adc4ec"},
    {"sparse_10000", "4ef898fc4083acc32d683e6edfc9523f", "e45055e7038f724d5ee249dc6f3b6f4e",
     "98d69d381ec35e6631649cde6be03b06"},
    {"nasdaq_open", "eacbc9d31c35ccd645f30d218b6f56f9", "fa0f1a5e66f139810479feb60d40726c",
     "d5b8ad905cb7a5dff3b6594a927f6ce6"},
    {"nasdaq_open_142", "0ae7b91548fc6e74f4828362941e1ef3", "f1db3fd5e01320eff9635acfeff882d7",
     "58ec3516585cf08c8826ca5517f4ce9b"},
    {"sweep_1", "7c32002c4937a57cdc6c9e4aba7bda42", "e4590134c561bfb2024de818b3e5a2a4",
     "8bc3186767b050ab4ad6cb7160f1928b"},
    {"sweep_10", "edc08788dc66e6179c13329ab6c39b5d", "ba0d762e16b4dfbb72c7a4666b3862aa",
     "578d52eb642bb402eded4554b3ee2154"},
    {"sweep_100", "639ad2c9a523896d8c45281fc9d05c13", "054dcd727b2dc1386c358be87de32578",
     "369c2a991ed7da6d2211085814e2b800"},
    {"sweep_1000", "82cad98edb051f4549dabd35204d20fe", "481c3ef9f04b574f02a9bfa1fb0f6e2e",
     "289c41817e37e24bbc7baf655e75e480"},
    {"queue_10", "13339c424413a055555cadfe799937ac", "06f26d41363ed9415b66d42af2a89df0",
     "65c1e22210ee9bd9edb6be19f3631687"},
    {"queue_1000000", "a3cf71dbe9052a20f65b0c790a69bdad", "473e0c324ea256bca5ca1cfc03a0d6aa",
     "3460c844f0276b5d9df136837be69b3c"},
    {"hft_limits", "cf800ed415e9a9d22e458b07ce2fcefb", "4963e4dcd5f398af4e905bc9bbb11a27",
     "e6dc671726aee63173cb78101b17e335"},
    {"hft_binary", "a41d22cb9c1bd2e5cc5dcf2eef61fcbb", "361e6076eaf624bb1b13afe174fbd25c",
     "cfa80b31c77387e65e80f2dfe0a7059d"},
}};

}  // namespace

const PinnedDigests* FindPinned(absl::string_view workload, uint32_t seed, WorkloadSize size) {
  if (seed != 1) return nullptr;
  const auto find = [&](const auto& table) -> const PinnedDigests* {
    for (const PinnedDigests& each : table) {
      if (each.workload == workload) return &each;
    }
    return nullptr;
  };
  return size == WorkloadSize::kSmoke ? find(kSmoke) : find(kFull);
}

}  // namespace bench
