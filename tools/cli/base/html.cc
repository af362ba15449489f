#include "tools/cli/base/html.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace tools {
namespace {

constexpr char kStyles[] =
    R"(body{font:14px/1.5 system-ui,sans-serif;margin:2em auto;max-width:1180px;color:#222;padding:0 1em}
h1{font-size:1.4em}h2{font-size:1.1em;margin:2em 0 .3em}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{padding:.15em .8em;text-align:right;border-bottom:1px solid #eee}
td:first-child,th:first-child{text-align:left;padding-left:0}
svg{max-width:100%;height:auto}text{font:11px system-ui,sans-serif;fill:#555}
)";

}  // namespace

std::string HtmlHead(absl::string_view title, absl::string_view styles) {
  return absl::StrCat("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>",
                      title, "</title><style>\n", kStyles, styles, "</style></head><body>\n");
}

std::string HtmlEscaped(absl::string_view text) {
  return absl::StrReplaceAll(text,
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

}  // namespace tools
