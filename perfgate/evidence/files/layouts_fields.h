// SPDX-License-Identifier: Apache-2.0
// layouts_fields.h: the fields of a folder of layouts.
#pragma once

#include "perfgate/base/json/field_rule.h"
#include "perfgate/evidence/layouts.h"

namespace perfgate::inline evidence {

template <class V, IsStruct<Layout> L>
void describe(V& v, L& l) {
  v("seed", l.seed, "seed of the order; 0: the link as it was asked for", at_least(0));
  v("file", l.file, "the executable, relative to the folder");
  v("digest", l.digest, "`sha256:<hex>` of the file");
}

template <class V, IsStruct<LinkCommand> C>
void describe(V& v, C& c) {
  v("directory", c.directory, "where the command runs");
  v("arguments", c.arguments, "the command and its arguments, response files read in");
}

template <class V, IsStruct<LayoutSet> S>
void describe(V& v, S& s) {
  v("name", s.name, "file name of the executable");
  v("tool", s.tool, "program and version that linked");
  v("shuffling", s.shuffling, "how orders are drawn: `lld`, `mold` or `order`");
  v("linker", s.linker, "what the linker says of its version");
  v("objects", s.objects, "`sha256:<hex>` over the files that the commands name");
  v("count", s.count, "layouts beside the link as it is; those that are missing can be linked",
    at_least(0));
  v("command", s.command, "how the executable is linked");
  v("libraries", s.libraries, "how shared libraries that are shuffled with it are linked");
  v("linked", s.layouts, "what was linked: first the link as it is, then by rising seed");
}

}  // namespace perfgate::inline evidence
