#pragma once

#include <map>
#include <string>

#include "batchscope/schema/fields.hpp"

namespace batchscope::schema {

using TextsByName = std::map<std::string, std::string>;

// A struct whose fields stand as texts among others, as text_of() has them.
//
// Reads it, and takes away the texts that put_into_texts would write just so; of others, wrong ones
// among them, the text stays. False: a required one is absent or wrong, and nothing is changed.
bool take_from_texts(const Table& table, void* to, TextsByName& texts);
// Adds what is not there yet.
void put_into_texts(const Table& table, const void* of, TextsByName& texts);

}  // namespace batchscope::schema
