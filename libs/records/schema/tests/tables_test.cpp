#include "batchscope/schema/tables.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <sstream>

#include "published.hpp"

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
  for (const Table* line : {&table_of<Header>(), &table_of<ConfigRecord>(), &table_of<Visit>(),
                            &table_of<Event>(), &table_of<OutputDifference>(), &table_of<Probe>(),
                            &table_of<NodeRecord>(), &table_of<Placement>(), &table_of<End>()}) {
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

std::string published(const std::string& name) {
  std::ifstream file(PUBLISHED_SCHEMAS "/" + name + ".schema.json");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// `publish_schemas`, a target of this library, writes them anew.
TEST(Tables, ArePublished) {
  EXPECT_EQ(published("run-file"), run_file_json_schema());
  EXPECT_EQ(published("configuration"), configuration_json_schema());
}

}  // namespace
}  // namespace batchscope::schema
