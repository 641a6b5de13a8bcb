#include "batchscope/schema/tables.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <sstream>

#include "batchscope/schema/published.hpp"

namespace batchscope::schema {
namespace {

std::vector<const Table*> with_inner(const Table& table) {
  std::vector<const Table*> tables = {&table};
  for (const Field& field : table.fields) {
    if (field.table == nullptr) continue;
    for (const Table* inner : with_inner(field.table())) tables.push_back(inner);
  }
  return tables;
}

std::vector<const Table*> all_tables() {
  std::vector<const Table*> tables;
  for (const Table* line :
       {&table_of<Header>(), &table_of<ConfigRecord>(), &table_of<Visit>(), &table_of<Event>(),
        &table_of<OutputDifference>(), &table_of<Probe>(), &table_of<End>()}) {
    for (const Table* each : with_inner(*line)) tables.push_back(each);
  }
  return tables;
}

// Which fields were read is kept in the bits of a number.
TEST(Tables, HaveFewFieldsEachOfItsOwnName) {
  for (const Table* table : all_tables()) {
    EXPECT_LE(table->fields.size(), kMostFields);
    std::set<std::string_view> names;
    for (const Field& field : table->fields) {
      EXPECT_TRUE(names.insert(field.name).second) << field.name;
    }
  }
}

TEST(Tables, HaveBoundsWhereThereAreNumbers) {
  for (const Table* table : all_tables()) {
    for (const Field& field : table->fields) {
      if (!field.rules.least && !field.rules.most) continue;
      EXPECT_TRUE(field.kind == FieldKind::int32 || field.kind == FieldKind::int64 ||
                  field.kind == FieldKind::number)
          << field.name;
    }
  }
}

// `run_file_schema`, a target of this library, writes it anew.
TEST(Tables, ArePublished) {
  std::ifstream file(RUN_FILE_SCHEMA);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), run_file_json_schema());
}

}  // namespace
}  // namespace batchscope::schema
