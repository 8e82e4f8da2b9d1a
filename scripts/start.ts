/* Builds Folio and opens a VS Code with it on a project. */

import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot, run, runOrFail, toolEnvironment } from './run.ts';
import { Stages } from './stages.ts';
import { copyExtension } from './vscodeHost/copyExtension.ts';
import {
  desktopArgs,
  downloadDesktop,
  endDesktop,
  findDesktopOnPath,
  findNamedDesktop,
  hasDesktop,
} from './vscodeHost/desktop.ts';
import { installServer } from './vscodeHost/install.ts';
import { writePanelOpener } from './vscodeHost/panelOpener.ts';
import { quietSettings, startServer } from './vscodeHost/server.ts';

const usage = `npm start [-- OPTIONS]

Builds Folio and opens a VS Code with it on a copy of the sample project, which has a failing test.

  --workspace DIR         opens this folder instead of the sample; it is worked on in place
  --host desktop|browser  decides which VS Code is opened
  --help                  says this

Which VS Code: the program that VSCODE_PATH names; else "code" on the PATH; else one that is downloaded into the
cache folder; else, or where there is no desktop, the workbench of the npm package code-server, whose address is
printed for a browser on this machine.

Which model: Gemini when GEMINI_API_KEY is set. Without it the rehearsal model, a scripted server on this machine
that plays one scenario on the sample project with tools that really run. It needs no network.

Ctrl+C at any time ends everything that was started and removes what was made for it.`;

interface Session {
  readonly workspace: string;
  /** Folder of the built extension, as installed. */
  readonly extension: string;
  /** Folder of an extension that opens the panel. */
  readonly opener: string;
  /** Temporary folder, removed at the end. */
  readonly scratch: string;
  /** True if the folder is our sample, which VS Code need not ask to trust. */
  readonly isSample: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly stopped: AbortSignal;
}

/** Built-in extensions that a user would miss. The others need an account or slow the start down. */
const builtIns = [
  'theme-defaults',
  'theme-seti',
  'git',
  'git-base',
  'merge-conflict',
  'diff',
  'configuration-editing',
  'javascript',
  'typescript-basics',
  'typescript-language-features',
  'json',
  'json-language-features',
  'css',
  'html',
  'markdown-basics',
  'markdown-language-features',
  'python',
  'shellscript',
  'yaml',
  'xml',
  'ipynb',
  'notebook-renderers',
];

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

/** True once VS Code is ready. Ending it then is no failure. */
let isReady = false;

try {
  await main(stop.signal);
} catch (error) {
  // Errors after an abort are expected.
  if (!stop.signal.aborted) console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
if (stop.signal.aborted) {
  console.log('Stopped. Nothing was left running, and what was made for this start is removed.');
  // A download of VS Code cannot be cancelled.
  process.exit(isReady ? 0 : 130);
}

async function main(stopped: AbortSignal): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  if (options.workspace !== undefined) await checkFolder(options.workspace);
  const hasKey = Boolean(process.env.GEMINI_API_KEY);
  console.log('Ctrl+C leaves at any time.');
  console.log(
    hasKey
      ? 'GEMINI_API_KEY is set: Folio talks to Gemini.'
      : 'GEMINI_API_KEY is not set: Folio plays the rehearsal, and its panel offers other ways to a model.',
  );
  const stages = new Stages(3);
  await stages.run('Building Folio', () => build(stopped));
  const host = await stages.run('Looking for a VS Code', notify => findHost(options.host, notify, stopped));
  const scratch = await mkdtemp(join(tmpdir(), 'folio-start-'));
  try {
    const session: Session = {
      workspace: options.workspace ?? (await copySample(scratch)),
      scratch,
      isSample: options.workspace === undefined,
      extension: await copyExtension(join(scratch, 'folio')),
      opener: await writePanelOpener(join(scratch, 'opener')),
      env: hasKey ? {} : { FOLIO_REHEARSAL: '1' },
      stopped,
    };
    stopped.throwIfAborted();
    if (host.kind === 'desktop') await openOnDesktop(host.program, session, stages);
    else await openInBrowser(host.installation, session, stages);
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function build(signal: AbortSignal): Promise<void> {
  const problem = 'Folio could not be built. Run "npm ci", then "npm start" again';
  await runOrFail('node', ['esbuild.mjs', '--quiet'], problem, { signal });
}

function readOptions(): { readonly workspace?: string; readonly host?: 'desktop' | 'browser' } | undefined {
  const { values } = parseArgs({
    options: { workspace: { type: 'string' }, host: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help) {
    console.log(usage);
    return undefined;
  }
  const workspace = values.workspace === undefined ? undefined : resolve(values.workspace);
  switch (values.host) {
    case undefined:
    case 'desktop':
    case 'browser':
      return { workspace, host: values.host };
    default:
      throw new Error(`"${values.host}" is no host. Use --host desktop or --host browser.`);
  }
}

async function checkFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new Error(`${path} is not a folder. Name one with --workspace.`);
}

type Host =
  | { readonly kind: 'desktop'; readonly program: string }
  | { readonly kind: 'browser'; readonly installation: string };

async function findHost(
  wanted: 'desktop' | 'browser' | undefined,
  notify: (part: string) => void,
  stopped: AbortSignal,
): Promise<Host> {
  const program = await findDesktop(wanted, notify, stopped);
  if (program !== undefined) return { kind: 'desktop', program };
  const installation = await installServer({
    notify: (what, part, parts) => notify(`${what} (${part} of ${parts})`),
    signal: stopped,
  });
  return { kind: 'browser', installation };
}

async function findDesktop(
  wanted: 'desktop' | 'browser' | undefined,
  notify: (part: string) => void,
  stopped: AbortSignal,
): Promise<string | undefined> {
  if (wanted === 'browser') return undefined;
  const named = findNamedDesktop();
  if (named !== undefined) return named;
  if (hasDesktop()) {
    const found = findDesktopOnPath() ?? (await download(notify, stopped));
    if (found !== undefined) return found;
  }
  if (wanted === undefined) return undefined;
  const reason = hasDesktop() ? 'No VS Code was found' : 'There is no desktop to show a window on';
  throw new Error(`${reason}. Set VSCODE_PATH to the program of VS Code, or use --host browser.`);
}

async function download(notify: (part: string) => void, stopped: AbortSignal): Promise<string | undefined> {
  notify('No VS Code is on the PATH: one is downloaded into the cache folder (about 150 MB)');
  const gone = new Promise<never>((_, reject) =>
    stopped.addEventListener('abort', () => reject(stopped.reason)),
  );
  return Promise.race([downloadDesktop(), gone]);
}

async function copySample(scratch: string): Promise<string> {
  const workspace = join(scratch, 'sample');
  await cp(join(projectRoot, 'sample'), workspace, { recursive: true });
  return workspace;
}

async function openOnDesktop(program: string, session: Session, stages: Stages): Promise<void> {
  const userData = join(session.scratch, 'user-data');
  const settings = { ...quietSettings, ...settingsOf(session) };
  await mkdir(join(userData, 'User'), { recursive: true });
  await writeFile(join(userData, 'User', 'settings.json'), JSON.stringify(settings, null, 2));
  const args = [
    `--extensionDevelopmentPath=${session.extension}`,
    `--extensionDevelopmentPath=${session.opener}`,
    '--new-window',
    '--wait',
    session.workspace,
  ];
  const child = await stages.run('Starting VS Code', async () =>
    spawn(program, [...desktopArgs(userData), ...args], {
      env: toolEnvironment(session.env),
      stdio: 'ignore',
      shell: process.platform === 'win32',
    }),
  );
  const ended = new Promise<void>((resolveEnd, reject) => {
    child.once('error', error =>
      reject(new Error(`VS Code could not be started (${error.message}). Set VSCODE_PATH to its program.`)),
    );
    child.once('close', () => resolveEnd());
  });
  isReady = true;
  console.log(
    `\nReady after ${stages.elapsed}: a window of VS Code opens.\nClose it, or press Ctrl+C here, to leave.`,
  );
  session.stopped.addEventListener('abort', () => child.kill(), { once: true });
  try {
    await ended;
  } finally {
    await endDesktop(userData);
  }
}

async function openInBrowser(installation: string, session: Session, stages: Stages): Promise<void> {
  const folder = await stat(session.workspace).catch(() => undefined);
  if (!folder?.isDirectory())
    throw new Error(`${session.workspace} is not a folder. Name one with --workspace.`);
  const server = await stages.run('Starting the VS Code server', () =>
    startServer({
      installation,
      extensions: [
        { name: 'folio.folio-0.0.0', folder: session.extension },
        { name: 'folio.open-panel-0.0.0', folder: session.opener },
      ],
      builtIns,
      settings: settingsOf(session),
      env: session.env,
      signal: session.stopped,
    }).catch(error => {
      const said = error instanceof Error ? error.message : String(error);
      throw new Error(`${said.trim()}\nRun "npm start" again, or set VSCODE_PATH to a VS Code of yours.`);
    }),
  );
  try {
    const address = server.urlOf(session.workspace);
    isReady = true;
    console.log(
      `\nReady after ${stages.elapsed}. Folio is at\n\n  ${address}\n\nOpen it in a browser on this machine. Ctrl+C here ends it.`,
    );
    if (hasDesktop()) await openAddress(address);
    const stopped = new Promise(resolveStop => session.stopped.addEventListener('abort', resolveStop));
    if (!session.stopped.aborted) await Promise.race([server.ended, stopped]);
    if (!session.stopped.aborted)
      console.error('The VS Code server ended automatically. Run "npm start" again.');
  } finally {
    await server.dispose();
  }
}

function settingsOf({ isSample }: Session): Readonly<Record<string, unknown>> {
  return isSample ? { 'security.workspace.trust.enabled': false } : {};
}

/** Opens the address, which is printed, too, if possible. */
async function openAddress(address: string): Promise<void> {
  const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open' };
  const opener = openers[process.platform];
  if (opener !== undefined) await run(opener, [address]).catch(() => undefined);
}
