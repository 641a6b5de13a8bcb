// Bundles the script and the style of the report, and writes a C++ source that holds both with the hashes that the
// page's content security policy names.
//
//   node build.mjs OUTPUT.cpp

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = dirname(fileURLToPath(import.meta.url));
// Compilers differ in how long one literal may be; pieces that follow each other are one literal.
const PIECE = 8000;
const DELIMITER = "BATCHSCOPE";

async function bundle(entry) {
  const result = await build({
    absWorkingDir: folder,
    entryPoints: [join("src", entry)],
    bundle: true,
    minify: true,
    charset: "ascii",
    format: "iife",
    target: ["es2020"],
    legalComments: "eof",
    define: { "process.env.NODE_ENV": '"production"' },
    write: false,
  });
  const text = result.outputFiles[0].text.trim();
  // Either would change how a browser reads the rest of an inline element.
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${entry}: holds text that would end its element`);
  return text;
}

function literal(text) {
  if (text.includes(`)${DELIMITER}"`)) throw new Error("the bundle holds the delimiter of its literal");
  const pieces = [];
  for (let at = 0; at < text.length; at += PIECE) {
    pieces.push(`R"${DELIMITER}(${text.slice(at, at + PIECE)})${DELIMITER}"`);
  }
  return pieces.join("\n");
}

function source(script, style) {
  const hash = (text) => createHash("sha256").update(text).digest("base64");
  return `// Made by web/report/build.mjs.
#include "page/web_bundle.hpp"

namespace batchscope::report {
namespace {

constexpr char kScript[] =
${literal(script)};

constexpr char kStyle[] =
${literal(style)};

// By their sizes: a compiler will not count this far.
constexpr WebBundle kBundle{{kScript, sizeof kScript - 1}, {kStyle, sizeof kStyle - 1},
                            "sha256-${hash(script)}", "sha256-${hash(style)}"};

}  // namespace

const WebBundle* web_bundle() {
  return &kBundle;
}

}  // namespace batchscope::report
`;
}

const output = process.argv[2];
const [script, style] = await Promise.all([bundle("main.ts"), bundle("report.css")]);
if (output) writeFileSync(output, source(script, style));
console.log(`script ${script.length} bytes, style ${style.length} bytes`);
