// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/session.h"

#include "perfgate/base/text/enum_words.h"

namespace perfgate::inline evidence {

std::string_view to_string(DriverKind driver) { return enum_word(driver); }
std::string_view to_string(FaultKind fault) { return enum_word(fault); }
DriverKind parse_driver_kind(std::string_view word) { return parse_enum<DriverKind>(word); }
FaultKind parse_fault_kind(std::string_view word) { return parse_enum<FaultKind>(word); }

}  // namespace perfgate::inline evidence
