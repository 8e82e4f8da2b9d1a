/* Groups dynamic imports into a few files, since each file costs time to load and to install. */

import { readFile } from 'node:fs/promises';
import { extname, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * Groups of the host's dynamic imports: `window` opens the panel, `agent` runs the first prompt, `later` is everything
 * else. Large and rarely needed code is separate. The first pattern that matches a path wins.
 */
export const groupsOfHost = [
  ['encodings', [/\/files\/(legacyEncodings|guessEncoding)\.ts$/]],
  ['gemini', [/\/models\/gemini\//, /\/@google\/genai\//]],
  [
    'clouds',
    [
      /\/models\/(vertex|bedrock)\//,
      /\/google-auth-library\//,
      /\/@(smithy|aws-sdk)\//,
      /\/bowser\//,
      /^platform:/,
    ],
  ],
  ['providers', [/\/models\/(anthropic|openai|responses)\//, /^node_modules\/(openai|@anthropic-ai)\//]],
  ['shell', [/\/shell\/shellParser\.ts$/]],
  [
    'window',
    [
      /\/core\/(customizations\/loadedCustomizations|hooks\/hooks|context\/inbox\/inbox)\.ts$/,
      /\/node\/.*\/(customFiles|extensionVariables|hookProcess|draftFile|sharedTextFile)\.ts$/,
      /\/ports\/(vscodeStoredSecrets|readServerSettings|disabledItemStores)\.ts$/,
      /\/vscode\/(serverSettings|vscodeDisabledItems|api\/clientExtensions)\.ts$/,
      /\/vscode\/panel\//,
      /\/vscode\/review\/(reviewDecorations|reviewLenses)\.ts$/,
      /\/panelDrafts\.ts$/,
      /\/models\/prices\.ts$/,
      /\/compose\/(extensions|connecting)\.ts$/,
      /^l10n\/page\.json$/,
    ],
  ],
  [
    'agent',
    [
      /\/compose\/(agent|makeSessionManager)\.ts$/,
      /\/editor(Saves|Writer|Checks|Encodings)\.ts$/,
      /\/vscode(Tests|Debugger|Languages|Tools)\.ts$/,
      /\/node\/(git|search|sessions)\//,
      /\/(ignore|smol-toml|picomatch)\//,
      /\/(mcpTools|loadProvider|grammarFiles|textCodec|commentThreads|staging|promptEntryPoints)\.ts$/,
      /\/commands\/(completeCommand|table\/\w+)\.ts$/,
    ],
  ],
  ['later', [/./]],
];

/**
 * Groups of the dynamic imports without a window: `prompt` is what each prompt needs before its first request. All others
 * stay files of their own, since a run needs few of them.
 */
export const groupsOfHeadless = [
  ['gemini', [/\/models\/gemini\/geminiProvider\.ts$/, /\/@google\/genai\//]],
  ['vertex', [/\/models\/vertex\/vertexProvider\.ts$/]],
  [
    'prompt',
    [
      /\/(settingKeys|loadProvider|findLanguageServers)\.ts$/,
      /\/node\/search\/(ignoreRules|walkSearch)\.ts$/,
      /\/ignore\//,
    ],
  ],
];

/** Groups of the page's dynamic imports: Markdown is separate, and rarely opened pages and cards are one. */
export const groupsOfPage = [
  ['highlight', [/\/highlight\.ts$/]],
  ['markdown', [/\/markdown\.ts$/]],
  ['toolkit', [/\/toolkit\.ts$/]],
  ['seldom', [/./]],
];

/** Groups that load others with them, and share code with these. All other shared code is in `window`. */
export const groupsBefore = {
  agent: ['window'],
  later: ['window', 'agent'],
  clouds: ['gemini', 'providers'],
  vertex: ['gemini'],
};

/**
 * Returns a plugin that replaces the import of a module with the import of its group, if it has one.
 *
 * @param options options of the build, which first runs once to find dynamic imports
 * @param groups patterns of paths by name
 */
export async function groupImports(options, groups) {
  const { metafile } = await build({ ...options, metafile: true, write: false, logLevel: 'silent' });
  const later = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(isLater));
  const members = [...new Set(later.map(({ path }) => path))].toSorted();
  // A file that was renamed would move to the last group, and its group would be loaded with it.
  const named = groups.flatMap(([, patterns]) => patterns).flatMap(alternativesOf);
  const stale = named.filter(pattern => !members.some(path => pattern.test(path)));
  if (stale.length > 0) throw new Error(`No dynamic import matches ${stale.join(', ')}.`);
  // Modules made by a plugin have no file and are known by their import name.
  const sourceOf = path => (path.includes(':') ? path.slice(path.indexOf(':') + 1) : `./${path}`);
  const groupOf = path => groups.find(([, patterns]) => patterns.some(pattern => pattern.test(path)))?.[0];
  const contentsOf = name =>
    members
      .map((path, at) => (groupOf(path) === name ? `export * as m${at} from '${sourceOf(path)}';` : ''))
      .join('\n');

  return {
    name: 'group-imports',
    setup({ onResolve, onLoad }) {
      onLoad({ filter: /\.m?[jt]sx?$/ }, async ({ path }) => {
        const imports = metafile.inputs[inputOf(path)]?.imports.filter(isLater) ?? [];
        if (imports.length === 0) return undefined;
        const targets = new Map(imports.map(({ original, path: target }) => [original, target]));
        const code = (await readFile(path, 'utf8')).replace(
          /(?<!typeof )\bimport\((?:\/\*.*?\*\/\s*)?(['"])([^'"]+)\1\)/g,
          (text, _quote, specifier) => {
            const target = targets.get(specifier);
            const group = target && groupOf(target);
            return group ? `import('group:${group}').then(({ m${members.indexOf(target)}: m }) => m)` : text;
          },
        );
        return { contents: code, loader: loaders[extname(path)] ?? 'js' };
      });
      onResolve({ filter: /^group:/ }, ({ path }) => ({
        path: `${path.slice('group:'.length)}.mts`,
        namespace: 'group',
      }));
      onLoad({ filter: /./, namespace: 'group' }, ({ path }) => ({
        contents: contentsOf(path.replace('.mts', '')),
        loader: 'ts',
        resolveDir: resolve('.'),
      }));
    },
  };
}

/** Returns a pattern for each name of a pattern that ends with a list of names. */
function alternativesOf(pattern) {
  const [, before, names, after] = /^(.*)\(([^()]*)\)([^()]*)$/.exec(pattern.source) ?? [];
  return names === undefined ? [pattern] : names.split('|').map(name => new RegExp(before + name + after));
}

const loaders = { '.ts': 'ts', '.tsx': 'tsx' };

function isLater({ kind, external }) {
  return kind === 'dynamic-import' && !external;
}

function inputOf(path) {
  return relative(resolve('.'), path).replaceAll('\\', '/');
}
