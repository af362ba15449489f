#!/usr/bin/env python3
"""Every rule of tidy.py finds the fault it is for, and a sound tree has none."""

import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import tidy  # pylint: disable=wrong-import-position

SOUND_HEADER = "#ifndef ENGINE_CORE_A_H_\n#define ENGINE_CORE_A_H_\n\n#endif  // ENGINE_CORE_A_H_\n"

WORDS = "# Words\n\n| Not used | Write |\n|---|---|\n| frob, frobs | apply |\n| as it were | nothing |\n\n"


class TidyRulesTest(unittest.TestCase):

    def rules_broken(self, files):
        with tempfile.TemporaryDirectory() as root:
            files = {".clang-format": "BasedOnStyle: Google\n", "CONTRIBUTING.md": WORDS, **files}
            for path, text in files.items():
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            return sorted({(path, rule) for path, _, rule, _ in tidy.findings(root)})

    def source(self, text, path="engine/core/a.cc"):
        build = os.path.dirname(path) + "/BUILD.bazel"
        return {path: text, build: f'srcs = ["{os.path.basename(path)}"]\n'}

    def assert_banned(self, text, path="engine/core/a.cc"):
        self.assertIn((path, "banned"), self.rules_broken(self.source(text, path)))

    def assert_sound(self, text, path="engine/core/a.cc"):
        self.assertEqual(self.rules_broken(self.source(text, path)), [])

    def test_a_sound_tree_has_no_findings(self):
        self.assertEqual(self.rules_broken(self.source(SOUND_HEADER, "engine/core/a.h")), [])

    def test_banned_calls_by_room(self):
        self.assert_banned("auto t = absl::Now();\n")
        self.assert_banned("#include <thread>\n", "tools/cli/a.cc")
        self.assert_sound("#include <thread>\n", "tools/os/a.cc")
        self.assert_banned("auto t = std::chrono::steady_clock::now();\n", "journal/a.cc")
        self.assert_banned("int x = rand();\n", "replay/a.cc")
        self.assert_banned("double price;\n")
        self.assert_sound("double price;\n", "engine/core/a_bench.cc")
        self.assert_banned("absl::Status Apply();\n")
        self.assert_banned("auto* p = new Order();\n")
        self.assert_banned("std::unordered_map<int, int> m;\n")
        self.assert_banned('#include "replay/driver.h"\n')
        self.assert_banned('#include "engine/core/exchange.h"\n', "journal/a.cc")
        self.assert_sound('#include "engine/base/bytes.h"\n', "journal/a.cc")
        self.assert_banned("#include <fcntl.h>\n", "journal/a.cc")
        self.assert_sound("#include <fcntl.h>\n", "journal/storage/a.cc")
        self.assert_banned("#include <sys/socket.h>\n")
        self.assert_banned("#include <sys/mman.h>\n")
        self.assert_banned("#include <sys/mman.h>\n", "engine/base/large_block_bench.cc")
        self.assert_sound("#include <sys/mman.h>\n", "engine/base/large_block.cc")
        self.assert_banned("bool ok = absl::SimpleAtoi(text, &value);\n", "tools/cli/a.cc")
        self.assert_banned("bool ok = absl::SimpleHexAtoi(text, &value);\n", "engine/messages/a.cc")

    def test_one_way_to_write_files_and_one_to_print(self):
        for text in ("std::ofstream file(path);\n", "std::fstream file(path);\n",
                     'auto* file = std::fopen(path, "w");\n', "int fd = creat(path, 0666);\n",
                     "int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);\n"):
            self.assert_banned(text, "tools/cli/read/a.cc")
            self.assert_banned(text, "tools/os/a.cc")
            self.assert_sound(text, "tools/cli/read/a_test.cc")
        self.assert_sound("std::ifstream file(path);\n", "tools/cli/read/a.cc")
        self.assert_sound("int fd = open(path, O_CREAT | O_EXCL, 0600);\n", "tools/os/a.cc")
        for text in ("std::cout << name;\n", "std::cerr << name;\n", 'std::printf("%s", name);\n',
                     "std::fputs(name, stdout);\n", "std::fwrite(name, 1, 2, stdout);\n"):
            self.assert_banned(text, "tools/cli/read/a.cc")
            self.assert_sound(text, "tools/cli/main.cc")
            self.assert_sound(text, "tools/cli/testing/a.cc")

    def test_only_the_machines_hold_an_exchange(self):
        for text in ("engine::Exchange exchange;\n",
                     "#include <memory>\n\nauto a = std::make_unique<engine::ReferenceExchange>();\n"):
            self.assert_banned(text, "replay/slice/a.cc")
            self.assert_banned(text, "tools/cli/read/a_test.cc")
            self.assert_sound(text, "bench/memory_test.cc")
        self.assert_sound("const engine::Exchange& exchange = machine.exchange();\n", "replay/slice/a.cc")
        self.assert_sound("size_t window = engine::Exchange::kPrefetchWindow;\n", "replay/slice/a.cc")

    def test_comments_and_strings_are_not_code(self):
        self.assert_sound("// No double, no absl::Now() here.\n")
        self.assert_sound('const char* k = "absl::Now()";\n')

    def test_todo_needs_a_kind(self):
        todo = "TO" + "DO"
        self.assertEqual(self.rules_broken(self.source(f"// {todo}: later\n")), [("engine/core/a.cc", "todo")])
        self.assertEqual(self.rules_broken(self.source(f"// {todo}(perf): saves a load\n")), [])

    def test_words_in_names_comments_strings_and_documents(self):
        for path, text in (("engine/core/a.cc", "// Frobs it.\n"), ("engine/core/a.cc", 'const char* k = "frob";\n'),
                           ("engine/core/a.cc", "int a;  // It is, as it\n        // were, done.\n"),
                           ("engine/core/a.cc", "int kFrobCount;\n"), ("testdata/transcripts/frob.txt", ""),
                           ("tools/a.py", "# frob\n"), ("testdata/transcripts/a.txt", "# frob\n")):
            files = self.source(text, path) if path.endswith(".cc") else {path: text}
            self.assertEqual(self.rules_broken(files), [(path, "words")])
        self.assertEqual(self.rules_broken({"CONTRIBUTING.md": WORDS + "To frob.\n"}), [("CONTRIBUTING.md", "words")])
        self.assert_sound("// Frobnicates as it is.\n")

    def test_words_of_pinned_bytes_are_exempt(self):
        self.assertEqual(self.rules_broken({"testdata/journals/a": "frob", "a.md": "00000010  66 72  |frob|\n"}), [])

    def test_a_list_of_words_is_required(self):
        for text in ("", WORDS.replace("Not used", "Unused"), "| Not used | Write |\n|---|---|\n"):
            self.assertEqual(self.rules_broken({"CONTRIBUTING.md": text}), [("CONTRIBUTING.md", "words")])

    def test_words_are_found_at_their_line(self):
        with tempfile.TemporaryDirectory() as root:
            for name, text in (("CONTRIBUTING.md", WORDS + "line 8\nfrob\n"), ("b.md", "1\n2 frob\n")):
                with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                    file.write(text)
            found = [(path, line) for path, line, _, _ in tidy.findings(root)]
            self.assertEqual(found, [("CONTRIBUTING.md", 9), ("b.md", 2)])

    def test_files_that_no_target_builds(self):
        files = self.source("int a;\n")
        files["engine/core/forgotten.cc"] = "int b;\n"
        self.assertEqual(self.rules_broken(files), [("engine/core/forgotten.cc", "unbuilt")])

    def test_files_that_a_room_builds(self):
        for name in ("a.cc", "a.h", "fast/a.h"):
            self.assertTrue(tidy.is_built(name, '\ncc_room(\n    folders = ["fast"],\n)'))
            self.assertFalse(tidy.is_built(name, '\ncc_room_tests('))
            self.assertFalse(tidy.is_built(name, f'\ncc_room(\n    exclude = ["{name}"],\n    folders = ["fast"],\n)'))
            self.assertTrue(tidy.is_built(name, f'\ncc_room(\n    exclude = ["{name}"],\n)\nsrcs = ["{name}"]'))
        self.assertFalse(tidy.is_built("slow/a.h", '\ncc_room(\n    folders = ["fast"],\n)'))
        self.assertFalse(tidy.is_built("a_test.cc", '\ncc_room('))
        self.assertTrue(tidy.is_built("a_test.cc", '\ncc_room_tests('))
        self.assertFalse(tidy.is_built("a_fuzz.cc", '\ncc_room('))

    def test_includes_that_the_precompiled_headers_hide(self):
        self.assertEqual(self.rules_broken(self.source("std::vector<int> v;\n")), [("engine/core/a.cc", "include")])
        self.assert_sound("#include <vector>\n\nstd::vector<int> v;\n")
        self.assert_sound("// std::vector is not used.\n")
        header = SOUND_HEADER.replace("\n\n", "\n\n#include <vector>\n\n", 1)
        files = self.source("std::vector<int> v;\n", "engine/core/a_test.cc") | self.source(header, "engine/core/a.h")
        files["engine/core/BUILD.bazel"] = 'srcs = ["a_test.cc", "a.h"]\n'
        self.assertEqual(self.rules_broken(files), [])

    def test_the_header_of_verbs_includes_for_them(self):
        header = "#ifndef TOOLS_CLI_BASE_VERB_INCLUDES_H_\n#define TOOLS_CLI_BASE_VERB_INCLUDES_H_\n\n#include <vector>\n\n" \
                 "#endif  // TOOLS_CLI_BASE_VERB_INCLUDES_H_\n"
        shared = self.source(header, "tools/cli/base/verb_includes.h")
        verb = self.source('#include "tools/cli/base/verb_includes.h"\n\nstd::vector<int> v;\n', "tools/cli/read/a.cc")
        self.assertEqual(self.rules_broken(shared | verb), [])
        other = self.source("std::vector<int> v;\n", "tools/cli/read/b.cc")
        self.assertEqual(self.rules_broken(shared | other), [("tools/cli/read/b.cc", "include")])

    def test_every_precompiled_header_has_names(self):
        folder = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "build_defs")
        headers = set()
        for name in ("common_headers.h", "test_headers.h"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                headers |= tidy.included(file.read())
        self.assertEqual(headers - {'"tools/build_defs/common_headers.h"'}, set(tidy.PRECOMPILED))

    def test_large_files_outside_testdata(self):
        blob = "x" * (tidy.BLOB_BYTES_MAX + 1)
        self.assertEqual(self.rules_broken({"bench/blob": blob, "testdata/blob": blob}), [("bench/blob", "large")])

    def test_guards_formatting_whitespace_and_visibility(self):
        self.assertEqual(self.rules_broken(self.source("#pragma once\n", "engine/core/a.h")),
                         [("engine/core/a.h", "guard")])
        self.assertEqual(self.rules_broken(self.source("int   a;\n")), [("engine/core/a.cc", "format")])
        self.assertEqual(self.rules_broken({"README.md": "word \n"}), [("README.md", "whitespace")])
        self.assertEqual(self.rules_broken({"a/BUILD.bazel": 'visibility = ["//visibility:public"]\n'}),
                         [("a/BUILD.bazel", "visibility")])


if __name__ == "__main__":
    unittest.main()
