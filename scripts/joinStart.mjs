/* Joins the chunks that an entry loads at once into one file, since each file costs time. */

import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * Writes `start.js` beside the chunks. The entry and all later chunks import from it what they shared with the start.
 * The entry is not joined: it may await later chunks while it runs, and these must not wait for it.
 *
 * @param entry path of the built entry in the metafile; its chunks must be in one folder
 * @param metafile metafile of the build, updated with the written files and sizes
 * @param options options of the build
 */
export async function joinStart(entry, { outputs }, options) {
  if (options.banner) await dropIdleBanners(outputs, options.banner.js);
  const chunks = staticImports(entry, outputs);
  await joinChunks(chunks, join(dirname(chunks[0]), 'start.js'), outputs, options);
}

/**
 * Joins the chunks that a page loads at once into its entry. The page must not await later chunks at top level, since
 * these import from it.
 *
 * @param entry path of the built entry in the metafile
 */
export async function joinEntry(entry, { outputs }, options) {
  await joinChunks(staticImports(entry, outputs), entry, outputs, options);
}

/**
 * Joins each chunk that groups share into the file of one group, after `joinStart`. A chunk without such a group, or one
 * that others import, too, goes into the first, which then loads with every other.
 *
 * @param needs names of the groups that each group may load with it
 */
export async function joinShared(first, needs, { outputs }, options) {
  const groups = Object.keys(outputs).filter(file => outputs[file].entryPoint?.startsWith('group:'));
  const nameOf = file => /^group:(\w+)/.exec(outputs[file].entryPoint)[1];
  const start = Object.keys(outputs).find(file => file.endsWith('/start.js'));
  const fileOf = name => groups.find(file => nameOf(file) === name);
  const owned = new Map(groups.map(file => [file, []]));
  const shared = groups.flatMap(file => staticImports(file, outputs));
  for (const chunk of new Set(shared)) {
    if (chunk === start) continue;
    const users = groups.filter(file => staticImports(file, outputs).includes(chunk)).map(nameOf);
    const isOnlyTheirs = Object.keys(outputs).every(
      file => groups.includes(file) || shared.includes(file) || !outputs[file].imports.some(isOf([chunk])),
    );
    const owner = users.find(name => users.every(user => user === name || needs[user]?.includes(name)));
    owned.get(fileOf((isOnlyTheirs && owner) || first)).push(chunk);
  }
  for (const [file, chunks] of owned) if (chunks.length > 0) await joinChunks(chunks, file, outputs, options);
}

/** Joins chunks into a new or existing file. All other files then import from it. */
async function joinChunks(chunks, into, outputs, options) {
  const folder = dirname(into);
  const before = outputs[into];
  const indexOf = ({ path, resolveDir, kind }) =>
    kind === 'dynamic-import' ? -1 : chunks.findIndex(chunk => resolve(chunk) === resolve(resolveDir, path));
  const isInto = ({ path, resolveDir, kind }) =>
    kind !== 'dynamic-import' && before !== undefined && resolve(into) === resolve(resolveDir, path);
  const fromFolder = ({ path, resolveDir }) => `./${relative(folder, resolve(resolveDir, path))}`;
  const shim = index =>
    handOn(
      outputs[chunks[index]].exports,
      name => `${unique(index, name)} as ${name}`,
      `./${relative(folder, into)}`,
    );

  const all = chunks.map((chunk, index) =>
    handOn(
      outputs[chunk].exports,
      name => `${name} as ${unique(index, name)}`,
      `./${relative(folder, chunk)}`,
    ),
  );
  if (before !== undefined) all.push(handOn(before.exports, name => name, `./${relative(folder, into)}`));
  const joinedChunks = await bundle(
    { stdin: { contents: all.join(''), resolveDir: folder } },
    options,
    ({ onResolve }) =>
      onResolve({ filter: /^\./ }, args =>
        indexOf(args) < 0 && !isInto(args) ? { path: fromFolder(args), external: true } : undefined,
      ),
  );
  /** Replaces imports of the chunks by imports of `into`. */
  const onJoined = file =>
    bundle({ entryPoints: [file] }, options, ({ onResolve, onLoad }) => {
      onResolve({ filter: /^\./ }, args => {
        if (args.kind === 'entry-point') return undefined;
        if (args.namespace === 'chunk') return { path: `./${relative(dirname(file), into)}`, external: true };
        const index = indexOf(args);
        return index < 0 ? { path: args.path, external: true } : { path: String(index), namespace: 'chunk' };
      });
      onLoad({ filter: /./, namespace: 'chunk' }, ({ path }) => ({ contents: shim(Number(path)) }));
    });
  const others = Object.keys(outputs).filter(
    file => file !== into && !chunks.includes(file) && outputs[file].imports.some(isOf(chunks)),
  );
  const joined = await Promise.all(others.map(async file => [file, await onJoined(file)]));
  // A chunk that is also imported dynamically stays as a file that re-exports.
  const onDemand = chunks.filter(chunk => outputs[chunk].entryPoint !== undefined);
  const shims = onDemand.map(chunk => [chunk, shim(chunks.indexOf(chunk))]);

  const parts = before === undefined ? chunks : [...chunks, into];
  outputs[into] = {
    ...before,
    ...joinedOutput(parts, chunks, outputs),
    exports: exportsOf(chunks, before, outputs),
  };
  for (const file of [...others, ...onDemand]) takeFrom(outputs[file], chunks, into);
  for (const [path, text] of [[into, joinedChunks], ...joined, ...shims]) {
    await writeFile(path, text);
    outputs[path].bytes = Buffer.byteLength(text);
  }
  for (const chunk of chunks.filter(each => !onDemand.includes(each))) {
    await rm(chunk);
    delete outputs[chunk];
  }
}

/** Removes the banner that makes `require` from files that do not use it. */
async function dropIdleBanners(outputs, banner) {
  const scripts = Object.keys(outputs).filter(path => path.endsWith('.js'));
  await Promise.all(
    scripts.map(async path => {
      const code = (await readFile(path, 'utf8')).replace(banner, '');
      if (/\brequire\b/.test(code)) return;
      await writeFile(path, code);
      outputs[path].bytes = Buffer.byteLength(code);
    }),
  );
}

function isOf(chunks) {
  return ({ path, kind }) => kind === 'import-statement' && chunks.includes(path);
}

function joinedOutput(parts, chunks, outputs) {
  const inputs = Object.assign({}, ...parts.map(part => outputs[part].inputs));
  const imports = parts.flatMap(part => outputs[part].imports.filter(each => !isOf(chunks)(each)));
  return { imports, inputs };
}

function exportsOf(chunks, before, outputs) {
  const names = chunks.flatMap((chunk, index) => outputs[chunk].exports.map(name => unique(index, name)));
  return [...names, ...(before?.exports ?? [])];
}

function takeFrom(output, chunks, into) {
  const others = output.imports.filter(each => !isOf(chunks)(each));
  output.imports = [{ path: into, kind: 'import-statement' }, ...others];
}

/** Returns the static imports of a file, transitively. */
function staticImports(file, outputs) {
  const found = new Set([file]);
  for (const path of found) {
    for (const { kind, path: imported, external } of outputs[path].imports) {
      if (kind === 'import-statement' && !external) found.add(imported);
    }
  }
  return [...found].slice(1);
}

/** Returns a unique name, since two chunks may export the same one. */
function unique(index, name) {
  return `c${index}_${name}`;
}

function handOn(names, pair, from) {
  return names.length === 0 ? `import'${from}';\n` : `export{${names.map(pair).join(',')}}from'${from}';\n`;
}

async function bundle(input, { platform, target, format, external }, setup) {
  const { outputFiles } = await build({
    ...input,
    platform,
    target,
    format,
    external,
    bundle: true,
    minify: true,
    write: false,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [{ name: 'chunks', setup }],
  });
  return outputFiles[0].text;
}
