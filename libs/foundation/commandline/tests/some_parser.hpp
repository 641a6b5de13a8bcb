#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "batchscope/commandline/description.hpp"

namespace batchscope::commandline {

// A verb with one flag of every kind.
struct SomeParser {
  SomeParser() : app("Bakes bread, one loaf at a time.", "oven bake") {
    app.set_help_flag("-h,--help", "show this help");
    app.add_option("LOAF", loaves, "what to bake");
    app.add_option("-f,--flour", flours, "rye, wheat; several with commas")
        ->type_name("rye|wheat|spelt")
        ->group("Dough");
    app.add_option("--crust", crust, "how hard: the crust (default soft)")
        ->check(CLI::IsMember({"soft", "hard"}))
        ->group("Dough");
    app.add_option("--minutes", minutes, "in the oven")->check(CLI::Range(1, 600))->group("Heat");
    fan = app.add_flag("--fan", with_fan, "let the air circulate")->group("Heat");
    app.add_option("--fan-speed", speed, "of the fan")->needs(fan)->group("Heat");
    app.add_option("-o,--output", output, "where it's put")->type_name("FILE")->group("Heat");
    app.add_option("-m,--mould", mould, "its mould")->type_name("MODEL")->group("Heat");
    app.add_flag("--photos{auto}", photos, "take some; --photos=FOLDER says where")
        ->type_name("FOLDER")
        ->group("Heat");
    app.add_option("--salt", salt, "grams")->required()->group("Dough");
  }

  CLI::App app;
  CLI::Option* fan = nullptr;
  std::vector<std::string> loaves, flours;
  std::string crust, output, mould, photos;
  int minutes = 0;
  double speed = 0, salt = 0;
  bool with_fan = false;
};

inline ProgramDescription some_program() {
  const SomeParser parser;
  ProgramDescription program;
  program.name = "oven";
  program.version = "1.2";
  program.tells = "bake what is put in";
  program.verbs = {{"bake", "bakes bread", parser.app.get_description(),
                    flags_of(parser.app, {"--output", "--flour"})},
                   {"clean", "cleans up: the oven's [floor]", "Cleans.", {}},
                   {"recipe keep", "keeps one", "Keeps a recipe.", {}},
                   {"recipe clean", "forgets all", "Forgets recipes.", {}}};
  program.examples = {"oven bake rye.loaf --salt 3"};
  return program;
}

}  // namespace batchscope::commandline
