// Bundles the scripts and the styles of the pages, and writes a C++ source that holds them with the hashes that the
// pages' content security policies name.
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

// Of each page: the function that names its bundle, its script and its style.
const PAGES = [
  ["web_bundle", "main.ts", "report.css"],
  ["trace_bundle", "trace/main.ts", "trace/trace.css"],
  ["monitor_bundle", "monitor/main.ts", "monitor/monitor.css"],
];

function definition(name, script, style) {
  const hash = (text) => createHash("sha256").update(text).digest("base64");
  return `// By their sizes: a compiler will not count this far.
const WebBundle* ${name}() {
  static constexpr char kScript[] =
${literal(script)};
  static constexpr char kStyle[] =
${literal(style)};
  static constexpr WebBundle kBundle{{kScript, sizeof kScript - 1}, {kStyle, sizeof kStyle - 1},
                                     "sha256-${hash(script)}", "sha256-${hash(style)}"};
  return &kBundle;
}
`;
}

function source(definitions) {
  return `// Made by web/report/build.mjs.
#include "batchscope/document/web_bundle.hpp"

namespace batchscope::document {

${definitions.join("\n")}
}  // namespace batchscope::document
`;
}

const output = process.argv[2];
const definitions = await Promise.all(
  PAGES.map(async ([name, ...entries]) => {
    const [script, style] = await Promise.all(entries.map(bundle));
    console.log(`${name}: script ${script.length} bytes, style ${style.length} bytes`);
    return definition(name, script, style);
  }),
);
if (output) writeFileSync(output, source(definitions));
