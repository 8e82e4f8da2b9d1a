/* Builds Folio and opens a VS Code with it on a project. */

import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot, run, runOrFail, toolEnvironment } from './run.ts';
import {
  desktopArgs,
  downloadDesktop,
  endDesktop,
  findDesktopOnPath,
  findNamedDesktop,
  hasDesktop,
} from './vscodeHost/desktop.ts';
import { installServer } from './vscodeHost/install.ts';
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

Ctrl+C ends everything that was started.`;

interface Session {
  readonly workspace: string;
  /** Goes with the session. */
  readonly scratch: string;
  /** The folder is ours: VS Code need not ask whether to trust it. */
  readonly isSample: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly stopped: AbortSignal;
}

/** Extensions of VS Code's own that a person would miss. The others need an account or slow the start down. */
const builtIns = [
  ...['theme-defaults', 'theme-seti', 'git', 'git-base', 'merge-conflict', 'diff', 'configuration-editing'],
  ...['javascript', 'typescript-basics', 'typescript-language-features', 'json', 'json-language-features'],
  ...['css', 'html', 'markdown-basics', 'markdown-language-features', 'python', 'shellscript', 'yaml', 'xml'],
];

await main().catch(error => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  if (options.workspace !== undefined) await checkFolder(options.workspace);
  const desktop = await chooseDesktop(options.host);
  await runOrFail('node', ['esbuild.mjs'], 'Folio could not be built. Run "npm ci", then try again');
  const scratch = await mkdtemp(join(tmpdir(), 'folio-start-'));
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  try {
    const workspace = options.workspace ?? (await copySample(scratch));
    const session: Session = {
      workspace,
      scratch,
      isSample: options.workspace === undefined,
      env: process.env.GEMINI_API_KEY ? {} : { FOLIO_REHEARSAL: '1' },
      stopped: stop.signal,
    };
    console.log(
      process.env.GEMINI_API_KEY
        ? 'GEMINI_API_KEY is set: Folio talks to Gemini.'
        : 'GEMINI_API_KEY is not set: Folio plays the rehearsal.',
    );
    if (desktop === undefined) await openInBrowser(session);
    else await openOnDesktop(desktop, session);
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
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

async function chooseDesktop(host: 'desktop' | 'browser' | undefined): Promise<string | undefined> {
  if (host === 'browser') return undefined;
  const named = findNamedDesktop();
  if (named !== undefined) return named;
  if (hasDesktop()) {
    const found = findDesktopOnPath() ?? (await downloadDesktop());
    if (found !== undefined) return found;
  }
  if (host === undefined) return undefined;
  const reason = hasDesktop() ? 'No VS Code was found' : 'There is no desktop to show a window on';
  throw new Error(`${reason}. Set VSCODE_PATH to the program of VS Code, or use --host browser.`);
}

async function copySample(scratch: string): Promise<string> {
  const workspace = join(scratch, 'sample');
  await cp(join(projectRoot, 'sample'), workspace, { recursive: true });
  return workspace;
}

async function openOnDesktop(program: string, session: Session): Promise<void> {
  const userData = join(session.scratch, 'user-data');
  const settings = { ...quietSettings, ...trustSettings(session) };
  await mkdir(join(userData, 'User'), { recursive: true });
  await writeFile(join(userData, 'User', 'settings.json'), JSON.stringify(settings, null, 2));
  const args = [`--extensionDevelopmentPath=${projectRoot}`, '--new-window', '--wait', session.workspace];
  console.log('Opening VS Code. Close its window, or press Ctrl+C here, to end.');
  const child = spawn(program, [...desktopArgs(userData), ...args], {
    env: toolEnvironment(session.env),
    stdio: 'ignore',
    shell: process.platform === 'win32',
  });
  const ended = new Promise<void>((resolveEnd, reject) => {
    child.once('error', reject);
    child.once('close', () => resolveEnd());
  });
  session.stopped.addEventListener('abort', () => child.kill(), { once: true });
  try {
    await ended;
  } finally {
    await endDesktop(userData);
  }
}

async function openInBrowser(session: Session): Promise<void> {
  const folder = await stat(session.workspace).catch(() => undefined);
  if (!folder?.isDirectory())
    throw new Error(`${session.workspace} is not a folder. Name one with --workspace.`);
  const server = await startServer({
    installation: await installServer(),
    extensions: [{ name: 'folio.folio-0.0.0', folder: await linkFolio(session.scratch) }],
    builtIns,
    settings: trustSettings(session),
    env: session.env,
  });
  try {
    const address = server.urlOf(session.workspace);
    console.log(
      `\nFolio is at\n\n  ${address}\n\nOpen it in a browser on this machine. Ctrl+C ends the server.`,
    );
    if (hasDesktop()) await openAddress(address);
    const stopped = new Promise(resolveStop => session.stopped.addEventListener('abort', resolveStop));
    if (!session.stopped.aborted) await Promise.race([server.ended, stopped]);
  } finally {
    await server.dispose();
  }
}

/** The built extension without what surrounds it in the repository. */
async function linkFolio(scratch: string): Promise<string> {
  const folder = join(scratch, 'folio');
  await mkdir(folder);
  for (const name of ['package.json', 'package.nls.json'])
    await cp(join(projectRoot, name), join(folder, name));
  for (const name of ['dist', 'media']) await symlink(join(projectRoot, name), join(folder, name), 'dir');
  return folder;
}

function trustSettings({ isSample }: Session): Readonly<Record<string, unknown>> {
  return isSample ? { 'security.workspace.trust.enabled': false } : {};
}

/** The address was printed too, so nothing is lost where no browser opens. */
async function openAddress(address: string): Promise<void> {
  const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open' };
  const opener = openers[process.platform];
  if (opener !== undefined) await run(opener, [address]).catch(() => undefined);
}
