/* Answers that repeat for good reasons, as models write them. None may raise an alarm. */

const files = Array.from(
  { length: 30 },
  (_, n) => `src/pages/${['cart', 'user', 'item', 'menu'][n % 4]}${10 + n}.tsx`,
);
const each = (line: (file: string, index: number) => string) => files.map(line).join('\n');
const times = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');
const wordsAbout = (topic: number, count: number) =>
  Array.from({ length: count }, (_, n) => ` word${(n * 31 + topic * 17) % 97}`).join('');
const fenced = (language: string, body: string) =>
  `Here it is:\n\n\`\`\`${language}\n${body}\n\`\`\`\n\nThat is all.`;

export const ordinaryTexts: readonly (readonly [name: string, text: string])[] = [
  // The same edit in many files.
  [
    'files edited the same way, as sentences',
    each(
      file =>
        `In ${file} I replaced the old logger import with the structured logger and adapted all of its call sites.`,
    ),
  ],
  [
    'files edited the same way, in one paragraph',
    each(file => `Updated ${file} so that it uses the new date formatter everywhere.`).replaceAll('\n', ' '),
  ],
  [
    'files edited the same way, as bullets',
    each(
      file =>
        `- \`${file}\`: replaced the old logger import with the structured logger and adapted all call sites`,
    ),
  ],
  [
    'files edited the same way, as a numbered list',
    each((file, n) => `${n + 1}. ${file}: replaced the old logger import with the structured logger`),
  ],
  [
    'the same bullet for all, without names',
    times(40, () => '* Replaced the old logger import with the structured logger import and ran the tests.'),
  ],
  [
    'headings with the same text below each',
    each(
      file =>
        `### ${file}\n\nReplaced the old logger import with the structured logger and adapted its call sites.\n`,
    ),
  ],
  [
    'bold names with the same text below each',
    each(
      file =>
        `**${file}**\nReplaced the old logger import with the structured logger and adapted its call sites.\n`,
    ),
  ],
  [
    'a code block after the same sentence',
    each(
      () =>
        'I applied the same change to the next file in the list of pages:\n\n```ts\nimport { log } from "./log";\n```\n',
    ),
  ],
  [
    'a quote after the same sentence',
    times(
      20,
      () =>
        'The specification says about this case, in its own words:\n\n> The server SHOULD answer with 404.\n',
    ),
  ],
  [
    'names of equal length',
    times(
      30,
      n =>
        `The file page${10 + n}.tsx was formatted, its unused imports were removed and its tests still pass.`,
    ),
  ],
  [
    'imports that were renamed, in prose',
    each(
      (_, n) =>
        `The import of util${n} now points to the folder lib/util${n}, as the new layout of the packages wants it.`,
    ),
  ],
  // Tables.
  [
    'a table with equal rows',
    `| file | old | new |\n|---|---|---|\n${times(60, () => '| src/page.tsx | oldLogger.info(message) | logger.info({ message }) |')}`,
  ],
  [
    'a table without outer pipes',
    `name | state\n--- | ---\n${times(60, () => 'the very same cell with a long text | the very same other cell')}`,
  ],
  ['an empty table', times(80, () => '|      |      |      |      |      |      |')],
  [
    'a table drawn with lines',
    `┌────────┬────────┐\n${times(50, () => '│ empty  │ empty  │\n├────────┼────────┤')}\n└────────┴────────┘`,
  ],
  [
    'a table drawn with plus and minus',
    times(50, () => '+----------------+----------------+\n| a              | b              |'),
  ],
  ['columns indented with spaces', times(60, () => '    PASS    unit    0 failed    0 skipped    all good')],
  ['very wide dividers of a table', `|${'-'.repeat(900)}|${'-'.repeat(900)}|`],
  // Code and data.
  [
    'a code block with equal lines',
    fenced(
      'ts',
      times(80, () => '  expect(await client.get("/health")).toEqual({ ok: true });'),
    ),
  ],
  [
    'a code block with tildes',
    `~~~\n${times(80, () => 'assert response.status == 200 and response.body is not None')}\n~~~`,
  ],
  [
    'a code block with ticks inside',
    `\`\`\`\`md\n\`\`\`\n${times(60, () => 'the very same line of an example within an example, again')}\n\`\`\`\n${times(60, () => 'the very same line of an example within an example, again')}\n\`\`\`\``,
  ],
  [
    'a code block within a list',
    `1. Run this:\n\n   \`\`\`sh\n${times(60, () => 'curl -fsS http://localhost:8080/health && echo up || echo down')}\n   \`\`\`\n`,
  ],
  [
    'a code block that is not closed yet',
    `\`\`\`css\n${times(80, () => '.cell { border: 1px solid black; padding: 0; margin: 0 auto; }')}`,
  ],
  ['indented code', times(80, () => '    console.log("checking the connection to the server again");')],
  [
    'code indented with tabs',
    times(80, () => '\tfmt.Println("checking the connection to the server again")'),
  ],
  [
    'JSON with equal objects',
    `[\n${times(60, () => '  { "x": 0, "y": 0, "z": 0, "color": "black", "visible": true },')}\n]`,
  ],
  [
    'JSON over many lines',
    `{\n"rows": [\n${times(60, () => '{\n"title": "untitled document of nobody in particular",\n"done": false\n},')}\n]\n}`,
  ],
  ['JSON on one line', `[${Array.from({ length: 90 }, () => '{"x":0,"y":0,"color":"black"}').join(',')}]`],
  ['markup', times(60, () => '<li class="entry"><a href="#">Read the rest of this article</a></li>')],
  ['a diff', times(60, () => '-import { log } from "./old/log";\n+import { log } from "./new/log";')],
  [
    'YAML',
    `services:\n${times(40, () => '  - image: registry/base:latest\n    restart: always\n    ports: ["80:80"]')}`,
  ],
  ['commands', times(40, () => '$ npm run build --workspace packages/one && npm test')],
  [
    'a matrix',
    fenced(
      '',
      times(60, () => '0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0'),
    ),
  ],
  [
    'a hash of zeros',
    `The parent is ${'0'.repeat(64)}, which means that there is none; the tree is ${'0'.repeat(128)}.`,
  ],
  // Output that is quoted.
  [
    'test output with check marks',
    times(60, () => ' ✓ renders the page without an error and without warnings'),
  ],
  [
    'test output that counts',
    times(60, n => `ok ${n + 1} - the client reads the answer of the server without an error (${n * 3} ms)`),
  ],
  ['a log that was quoted', times(40, () => '> [info] waiting for the database to accept connections')],
  ['a log in brackets', times(40, () => '[info] waiting for the database to accept connections')],
  [
    'a log with times',
    times(
      60,
      n =>
        `12:${10 + (n % 50)}:${10 + ((n * 7) % 50)} waiting for the database to accept connections, attempt ${n}`,
    ),
  ],
  ['a stack trace', `Error: too deep\n${times(60, () => '    at visit (src/walk/visitor.ts:41:7)')}`],
  ['progress in dots', `Tests: ${'.'.repeat(300)} done\n${'.'.repeat(800)}\nAll passed.`],
  ['a progress bar', times(40, () => '██████████████████████████████████████████████████ 100%')],
  ['a spinner', times(60, () => '⠋ installing packages, this may take a moment, stand by')],
  [
    'compiler output with lines',
    times(
      60,
      n => `src/a.ts(${n + 1},5): error TS2304: Cannot find name 'process'. Did you mean to install types?`,
    ),
  ],
  // Drawings and dividers.
  ['a wide divider', `Part one\n\n${'='.repeat(400)}\n\nPart two\n\n${'-'.repeat(400)}\n`],
  ['many dividers', times(40, n => `---\nPart ${n}\n* * *\n`)],
  ['ASCII art', times(20, () => '   /\\_/\\   \n  ( o.o )  \n   > ^ <   ')],
  ['a box of stars', times(40, () => '*******************************************************')],
  ['a tree of folders', times(60, () => '│   ├── index.ts\n│   └── index.test.ts')],
  // Enumerations and prose.
  [
    'an enumeration with numbers',
    times(
      80,
      n => `Step ${n + 1} of 80: compile the package, run its tests and publish the result to the registry.`,
    ),
  ],
  [
    'an enumeration with numbers in a row',
    Array.from({ length: 80 }, (_, n) => `item number ${n + 1} is processed and its result is stored`).join(
      ', ',
    ),
  ],
  [
    'numbers with brackets',
    times(60, () => '1) check the state of the connection before anything is sent to it'),
  ],
  [
    'a few repeated sentences',
    times(8, () => 'I am going to read the file once more to be certain about what it does.'),
  ],
  ['a short refrain', times(20, n => `${n}: still green. Nothing to do.`)],
  [
    'a refrain between different verses',
    times(
      12,
      n => `${wordsAbout(n, n + 20)}\nAnd then the build was green, and all the tests were passing again.`,
    ),
  ],
  ['blank lines', `First.${'\n'.repeat(40)}Second.${'\n'.repeat(40)}Third.`],
  [
    'the same words with growing distance',
    times(14, n => `The quick brown fox jumps over the lazy dog and the fence.${wordsAbout(n, n * 12)}`),
  ],
  [
    'several choices with the same reasons',
    times(
      15,
      n =>
        `Option ${String.fromCharCode(65 + n)} is fast, well maintained and has no dependencies of its own, so it would do.`,
    ),
  ],
  [
    'another script, counted',
    times(
      40,
      n => `第${n + 1}个文件已经更新,所有测试都通过了,没有发现任何新的问题,可以继续进行下一步的工作。`,
    ),
  ],
];
