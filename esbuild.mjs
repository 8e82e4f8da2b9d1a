/* Builds dist/: the extension host's code, the headless entry and the panel's page. `node esbuild.mjs --help`. */

import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build, context, stop } from 'esbuild';
import {
  groupImports,
  groupsBefore,
  groupsOfHeadless,
  groupsOfHost,
  groupsOfPage,
} from './scripts/groupImports.mjs';
import { joinEntry, joinShared, joinStart } from './scripts/joinStart.mjs';
import { requireBanner } from './scripts/requireBanner.ts';
import { subsetIcons } from './scripts/subsetIcons.ts';
import { trimDetector } from './scripts/trimDetector.ts';
import { trimToolkit } from './scripts/trimToolkit.ts';

const { values: flags } = parseArgs({
  options: {
    production: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    metafile: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
    out: { type: 'string', default: 'dist' },
    help: { type: 'boolean', default: false },
  },
});

const out = flags.out;
const { version } = JSON.parse(await readFile('package.json', 'utf8'));

const common = {
  bundle: true,
  format: 'esm',
  splitting: true,
  minify: flags.production,
  sourcemap: flags.production ? false : 'linked',
  metafile: flags.metafile || flags.production,
  // While it watches, what was built is told by `progress`.
  logLevel: flags.watch || flags.quiet ? 'warning' : 'info',
  legalComments: 'none',
  chunkNames: 'chunks/[name]-[hash]',
  define: { 'process.env.NODE_ENV': flags.production ? '"production"' : '"development"' },
};

/**
 * Google's library would bring a `fetch` and an agent for proxies of its own, which know nothing of the proxy of a
 * window, and whose agent it does not find in a bundle. With these its requests go the way of all others.
 */
const platformFetch = {
  name: 'platform-fetch',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node-fetch|https-proxy-agent)$/ }, ({ path }) => ({
      path,
      namespace: 'platform',
    }));
    onLoad({ filter: /.*/, namespace: 'platform' }, () => ({
      contents: 'export default (...request) => fetch(...request); export class HttpsProxyAgent {}',
    }));
  },
};

/**
 * Node's `Headers` bring all of `fetch` along, which takes as long to load as everything else until the first request.
 * Google's library only collects some in them, which a map can do.
 */
const plainHeaders = {
  name: 'plain-headers',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]@google[\\/]genai[\\/]dist[\\/]web[\\/]index\.mjs$/ }, async ({ path }) => {
      const file = JSON.stringify(resolve('src/extension/models/gemini/plainHeaders.ts'));
      const code = await readFile(path, 'utf8');
      return { contents: `import { PlainHeaders as Headers } from ${file};\n${code}`, loader: 'js' };
    });
  },
};

/**
 * Of Node's own modules our files take only what they name: an import would first scan of each of their members, and
 * some load another part of Node when they are checked. Not in a window, where VS Code puts its proxy between.
 */
const nodeModules = {
  name: 'node-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind, importer }) =>
      kind === 'import-statement' && !/[\\/]node_modules[\\/]/.test(importer)
        ? { path, namespace: 'node' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path)).filter(name => name !== 'default');
      const members = names.map(
        (name, at) => `const m${at} = /* @__PURE__ */ take(${JSON.stringify(name)});`,
      );
      const exported = names.map((name, at) => `m${at} as ${JSON.stringify(name)}`);
      const whole = `const whole = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(path)});`;
      const take = 'const take = name => whole[name];';
      return { contents: [whole, take, ...members, `export { whole as default, ${exported} };`].join('\n') };
    });
  },
};

/** What the model reads of our tools' arguments is made here and not at each start. */
const declaredInputs = {
  name: 'declared-inputs',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]calls[\\/]declaredInputs\.ts$/ }, async () => {
      const { declareInputs } = await import('./scripts/declareInputs.ts');
      return { contents: `export const declaredInputs = ${JSON.stringify(declareInputs())};` };
    });
  },
};

const onNode = {
  ...common,
  platform: 'node',
  target: 'node22',
  // The library for servers imports `jose` for keys of clients, which Folio has none of, so it is never loaded.
  external: ['vscode', 'jose'],
  // While it watches, tools change: what is read of them is made again at each start.
  plugins: flags.watch ? [platformFetch, trimDetector] : [platformFetch, trimDetector, declaredInputs],
  // Its main file looks for its parts where no bundler sees it.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  banner: { js: requireBanner },
};

// Two builds that share nothing: code that both need would be cut into three times as many chunks, and each takes time
// to load.
const host = { ...onNode, entryPoints: ['src/extension/extension.ts'], outdir: out };
const headless = {
  ...onNode,
  entryPoints: ['src/extension/headless.ts'],
  plugins: [...onNode.plugins, plainHeaders, nodeModules],
  define: { ...common.define, 'process.env.FOLIO_VERSION': JSON.stringify(version) },
  outdir: join(out, 'headless'),
  // Beside the entry, so that the grammars lie in the folder above for every chunk.
  chunkNames: '[name]-[hash]',
};

// A thread of its own loads nothing of what the others share.
const thread = {
  ...onNode,
  splitting: false,
  entryPoints: ['src/extension/scaleThread.ts'],
  outdir: join(out, 'wasm'),
};

const webview = {
  ...common,
  entryPoints: ['src/webview/main.tsx'],
  outdir: join(out, 'webview'),
  platform: 'browser',
  target: 'es2023',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  plugins: [subsetIcons, trimToolkit],
  loader: { '.ttf': 'file', '.svg': 'dataurl' },
  assetNames: 'assets/[name]-[hash]',
};

// A compile cache must be enabled before the module that it is to speed up is loaded, hence a file of its own.
const headlessShim = `#!/usr/bin/env node
'use strict';
require('node:module').enableCompileCache?.();
import('./headless/headless.js');
`;

// The grammars, and the machine that runs them: read from beside the code when a command is first classified, or a file of
// the language first edited.
const shellGrammars = ['web-tree-sitter', 'tree-sitter-bash', 'tree-sitter-powershell'];
const codeGrammars = 'c-sharp go java javascript php python ruby rust tsx typescript'
  .split(' ')
  .map(name => `tree-sitter-${name}`);
// It makes pictures smaller, and is read when the first is too large.
const photon = 'node_modules/@cf-wasm/photon/dist/lib/photon_rs_bg.wasm';

// What a user may ask the agent about Folio.
const pages =
  'guide acp agents api commands extensions headless hooks keys-and-commands mcp models ' +
  'permissions privacy review security settings tools';

if (flags.help) {
  console.log(
    'node esbuild.mjs [--production] [--watch] [--metafile] [--out DIR]\n\n' +
      '  --production  minified, without source maps\n' +
      '  --watch       builds again after each change\n' +
      '  --quiet       says what is wrong and nothing else\n' +
      '  --metafile    writes meta-*.json for scripts/checkSizes.ts and notices.ts\n' +
      '  --out DIR     builds into another folder than dist',
  );
} else if (flags.watch) {
  await watchAll();
} else {
  // What is wrong was printed by esbuild.
  await buildAll().catch(error => {
    if (!error.errors) throw error;
    process.exitCode = 1;
  });
}

async function buildAll() {
  // Names of chunks carry hashes: without this old chunks would pile up and be packaged.
  await rm(out, { recursive: true, force: true });
  const inGroups = async (options, groups) =>
    flags.production
      ? { ...options, plugins: [...options.plugins, await groupImports(options, groups)] }
      : options;
  const hostInGroups = await inGroups(host, groupsOfHost);
  const webviewInGroups = await inGroups(webview, groupsOfPage);
  const headlessInGroups = await inGroups(headless, groupsOfHeadless);
  const [hostResult, webviewResult, headlessResult, threadResult] = await Promise.all(
    [hostInGroups, webviewInGroups, headlessInGroups, thread].map(each => build(each)),
  );
  if (flags.production) {
    await joinStart(join(out, 'extension.js'), hostResult.metafile, host);
    await joinShared('window', groupsBefore, hostResult.metafile, host);
    await joinEntry(join(out, 'webview', 'main.js'), webviewResult.metafile, webview);
    await joinStart(join(out, 'headless', 'headless.js'), headlessResult.metafile, headless);
    await joinShared('prompt', groupsBefore, headlessResult.metafile, headless);
    await joinBackground();
  }
  await writeFile(join(out, 'headless.cjs'), headlessShim);
  await packWasm();
  await joinPages();
  if (flags.metafile) {
    await writeFile(join(out, 'meta-thread.json'), JSON.stringify(threadResult.metafile));
    await writeFile(join(out, 'meta-host.json'), JSON.stringify(hostResult.metafile));
    await writeFile(join(out, 'meta-webview.json'), JSON.stringify(webviewResult.metafile));
    await writeFile(join(out, 'meta-headless.json'), JSON.stringify(headlessResult.metafile));
  }
}

/** The package has the program without a window as one file, which windows start as their background host. */
async function joinBackground() {
  await build({
    ...common,
    splitting: false,
    metafile: false,
    platform: 'node',
    target: onNode.target,
    entryPoints: [join(out, 'headless', 'headless.js')],
    outfile: join(out, 'chunks', 'background.js'),
    // No window serves MCP.
    external: ['./serveMcp-*.js'],
  });
}

async function watchAll() {
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'headless.cjs'), headlessShim);
  await packWasm();
  const builds = [host, webview, headless, thread];
  const reported = progress(builds.length);
  const contexts = await Promise.all(
    builds.map(each => context({ ...each, plugins: [...(each.plugins ?? []), reported] })),
  );
  // Automatically esbuild can stay behind when this process is ended in the middle of a build.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, async () => {
      await stop();
      process.exit();
    });
  await Promise.all(contexts.map(each => each.watch()));
}

/**
 * Says when the first of several builds begins and when the last has ended. The task in .vscode/tasks.json waits for
 * these two lines.
 */
function progress(builds) {
  // The first round is one: all begin automatically, in no particular order.
  let open = builds;
  let unbegun = builds;
  let failed = false;
  console.log('Building');
  return {
    name: 'progress',
    setup({ onStart, onEnd }) {
      onStart(() => {
        if (unbegun > 0) {
          unbegun -= 1;
          return;
        }
        if (open === 0) console.log('Building');
        open += 1;
      });
      onEnd(({ errors }) => {
        open -= 1;
        failed ||= errors.length > 0;
        if (open > 0) return;
        console.log(`${failed ? 'Not built' : 'Built'}, watching for changes`);
        failed = false;
      });
    },
  };
}

/** A page begins with a line of its name, which the agent that reads them looks for. */
async function joinPages() {
  const names = pages.split(' ').map(name => `${name}.md`);
  const texts = await Promise.all(
    names.map(async name => `Page: ${name}\n\n${await readFile(join('docs', name), 'utf8')}`),
  );
  await mkdir(join(out, 'docs'), { recursive: true });
  await writeFile(join(out, 'docs', 'folio.md'), texts.join('\n'));
}

/** One file for all, since most are never read; `node/grammarFiles.ts` describes it. */
async function packWasm() {
  await mkdir(join(out, 'wasm'), { recursive: true });
  const files = [
    ...shellGrammars.map(name => [`${name}.wasm`, `node_modules/${name}/${name}.wasm`]),
    ...codeGrammars.map(name => [`${name}.wasm`, `node_modules/@vscode/tree-sitter-wasm/wasm/${name}.wasm`]),
    ['photon.wasm', photon],
  ];
  const packed = await Promise.all(files.map(([, path]) => compressed(path)));
  const index = {};
  let offset = 0;
  for (const [at, [name]] of files.entries()) {
    index[name] = [offset, packed[at].length];
    offset += packed[at].length;
  }
  const head = Buffer.from(JSON.stringify(index));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  await writeFile(join(out, 'wasm', 'wasm.pack'), Buffer.concat([length, head, ...packed]));
}

/** Brotli makes WebAssembly a quarter smaller than the .vsix would; at its best it takes seconds, so that is kept. */
async function compressed(path) {
  const quality = flags.production ? 11 : 5;
  const bytes = await readFile(path);
  const kept = join(
    'node_modules/.cache/folio',
    `${createHash('sha256').update(bytes).digest('hex')}.${quality}.br`,
  );
  return (await readFile(kept).catch(() => undefined)) ?? (await pack(bytes, quality, kept));
}

async function pack(bytes, quality, kept) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  const packed = await promisify(brotliCompress)(bytes, { params });
  await mkdir(dirname(kept), { recursive: true });
  const unfinished = `${kept}.${process.pid}`;
  await writeFile(unfinished, packed);
  await rename(unfinished, kept);
  return packed;
}
