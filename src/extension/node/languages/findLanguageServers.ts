/*
 * Detects language servers without configuration. Starts nothing: searches only names on PATH and packages of the
 * workspace.
 */

import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isRecord } from '../../base/record.ts';
import { parseTolerantJson } from '../files/tolerantJson.ts';
import { findProgramIn, ProgramFinder } from '../processes/programs.ts';

export interface FoundLanguageServer {
  readonly name: string;
  /** Absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Glob for the names of its files. */
  readonly glob: string;
  /**
   * It executes workspace code: it is itself in the workspace, or runs build scripts, plugins or compilers that the
   * workspace names.
   */
  readonly runsWorkspace: boolean;
  /** As in the setting `folio.languageServers`. */
  readonly initializationOptions?: unknown;
  readonly settings?: unknown;
}

interface SearchPlaces {
  /** Absolute workspace folders. */
  readonly folders: readonly string[];
  /** The PATH variable. */
  readonly path: string | undefined;
}

/**
 * Prevents that TypeScript's server downloads type packages with npm, as it does without a project file: the user did not
 * grant it network access, and it slows the start.
 */
const withoutFetching = {
  settings: { 'js/ts': { tsserver: { automaticTypeAcquisition: { enabled: false } } } },
  initializationOptions: { disableAutomaticTypingAcquisition: true },
};

const script = '*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}';

/** Found by name. `rust-analyzer` runs build scripts, macros and the compiler that the workspace names. */
const onPath: readonly Omit<FoundLanguageServer, 'command'>[] = [
  { name: 'pyright-langserver', args: ['--stdio'], glob: '*.{py,pyi}', runsWorkspace: false },
  { name: 'gopls', args: [], glob: '*.go', runsWorkspace: false },
  { name: 'rust-analyzer', args: [], glob: '*.rs', runsWorkspace: true },
  { name: 'clangd', args: [], glob: '*.{c,cc,cpp,cxx,h,hh,hpp,hxx,m,mm}', runsWorkspace: false },
];

/** Sorted by preference: for a glob, the first one that may run is used. */
export async function findLanguageServers(places: SearchPlaces): Promise<readonly FoundLanguageServer[]> {
  const folders = await Promise.all(places.folders.map(folder => realpath(folder).catch(() => folder)));
  const programs = new ProgramFinder(() => places.folders, { PATH: places.path });
  const named = onPath.flatMap(server => {
    const command = findByName(server.name, name => programs.find(name));
    return command === undefined ? [] : [{ ...server, command }];
  });
  return [...(await findTypeScript(folders, programs)), ...named];
}

/** Prefers the project's own version, which it compiles with. */
async function findTypeScript(
  folders: readonly string[],
  programs: ProgramFinder,
): Promise<readonly FoundLanguageServer[]> {
  const own = await Promise.all(
    folders.map(folder => findCompiler(join(folder, 'node_modules', 'typescript'))),
  );
  const program = findByName('tsc', name => programs.find(name));
  // …/typescript/bin/tsc
  const personal = program && (await findCompiler(dirname(dirname(await realpath(program)))));
  // A link in the workspace counts as part of the workspace, wherever it leads.
  const native = [
    ...own.flatMap(compiler => (compiler === undefined ? [] : [nativeServer(compiler, true)])),
    ...(personal === undefined ? [] : [nativeServer(personal, false)]),
  ];
  // For versions before 7, which do not speak LSP. It loads the project's version and its plugins.
  const name = 'typescript-language-server';
  const bins = folders.map(folder => join(folder, 'node_modules', '.bin'));
  const brought = bins.flatMap(bin => findByName(name, file => findProgramIn(bin, file)) ?? []);
  const wrapped = [...brought, findByName(name, file => programs.find(file)) ?? []].flat().slice(0, 1);
  const { initializationOptions } = withoutFetching;
  const about = { name, args: ['--stdio'], glob: script, runsWorkspace: true, initializationOptions };
  return [...native, ...wrapped.map(command => ({ ...about, command }))];
}

/** Its executable is a Node script on every system. */
function nativeServer(compiler: string, runsWorkspace: boolean): FoundLanguageServer {
  const args = [compiler, '--lsp', '--stdio'];
  const { settings } = withoutFetching;
  return { name: 'TypeScript', command: process.execPath, args, glob: script, runsWorkspace, settings };
}

/** The executable, if the version supports LSP: from 7 on. */
async function findCompiler(folder: string): Promise<string | undefined> {
  try {
    const about = await parseTolerantJson(await readFile(join(folder, 'package.json'), 'utf8'));
    if (!isRecord(about) || about.name !== 'typescript' || typeof about.version !== 'string')
      return undefined;
    const [major = ''] = about.version.split('.');
    return Number(major) >= 7 ? await realpath(join(folder, 'bin', 'tsc')) : undefined;
  } catch {
    // It is missing or incompletely installed.
    return undefined;
  }
}

/** On Windows, only scripts of package managers have another extension. */
function findByName(name: string, find: (file: string) => string | undefined): string | undefined {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  return endings.flatMap(ending => find(name + ending) ?? [])[0];
}
