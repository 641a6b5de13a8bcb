// Fails when a source or a function is longer than the house allows: sources 400 lines (median at most 130), functions 60.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const MAX_SOURCE = 400;
const MEDIAN_SOURCE = 130;
const MAX_FUNCTION = 60;

const folder = join(dirname(fileURLToPath(import.meta.url)), "src");
const problems = [];
const lengths = [];
let longest = 0;

function visit(node, source, name) {
  if (ts.isFunctionLike(node) && node.body) {
    const line = (at) => source.getLineAndCharacterOfPosition(at).line;
    const first = line(node.getStart(source));
    const lines = line(node.getEnd()) - first + 1;
    longest = Math.max(longest, lines);
    if (lines > MAX_FUNCTION) problems.push(`${name}:${first + 1}: ${lines} lines in one function, at most ${MAX_FUNCTION}`);
  }
  ts.forEachChild(node, (child) => visit(child, source, name));
}

for (const name of readdirSync(folder, { recursive: true }).filter((one) => one.endsWith(".ts"))) {
  const text = readFileSync(join(folder, name), "utf8");
  lengths.push(text.split("\n").length - 1);
  if (lengths.at(-1) > MAX_SOURCE) problems.push(`${name}: ${lengths.at(-1)} lines, at most ${MAX_SOURCE}`);
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  visit(source, source, name);
}

lengths.sort((a, b) => a - b);
const median = lengths[Math.floor(lengths.length / 2)];
if (median > MEDIAN_SOURCE) problems.push(`median ${median} lines, at most ${MEDIAN_SOURCE}`);
console.log(`web sources: ${lengths.length} files, median ${median}, longest ${lengths.at(-1)}; longest function ${longest}`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
