// SPDX-License-Identifier: Apache-2.0
// LIBRARY_SECONDS: what one call is said to take.
extern "C" double library_seconds();
extern "C" double library_seconds() { return LIBRARY_SECONDS; }
