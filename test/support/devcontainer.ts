/*
 * A fake of the Dev Containers CLI and its engine. Its "container" is this machine under another path, with its own
 * environment. As with an engine, commands continue after their client dies. Comments name the source of each rule in
 * `@devcontainers/cli` 0.89.0.
 *
 * FOLIO_DEVCONTAINER names a folder with the real program; FOLIO_DEVCONTAINER_IMAGE an image that its engine has.
 */

import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const real = process.env.FOLIO_DEVCONTAINER;

export interface StandIn {
  /** Folder to prepend to PATH. */
  readonly bin: string;
  /** Path of the workspace in the container. */
  readonly inside: string;
}

/** @param folder beside the workspace */
export async function installDevcontainer(folder: string, workspace: string): Promise<StandIn> {
  if (real) return { bin: real, inside: `/workspaces/${workspace.split('/').at(-1)}` };
  const bin = join(folder, 'bin');
  const inside = join(folder, 'inside');
  await mkdir(bin);
  await symlink(workspace, inside);
  for (const [name, text] of [
    ['devcontainer', program(cli)],
    ['docker', program(engine)],
  ] as const) {
    await writeFile(join(bin, name), text);
    await chmod(join(bin, name), 0o755);
  }
  await writeFile(join(bin, 'inside'), inside);
  return { bin, inside };
}

export async function describeContainer(
  workspace: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const image = process.env.FOLIO_DEVCONTAINER_IMAGE ?? 'tiny';
  await mkdir(join(workspace, '.devcontainer'), { recursive: true });
  const config = { name: 'Tiny', image, updateRemoteUserUID: false, ...more };
  await writeFile(join(workspace, '.devcontainer/devcontainer.json'), JSON.stringify(config));
}

function program(body: string): string {
  return `#!${process.execPath}\n${common}${body}`;
}

const common = String.raw`
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const { join } = require('node:path');
const here = __dirname;
const stateFile = join(here, 'container');
const readState = () => { try { return JSON.parse(fs.readFileSync(stateFile, 'utf8')); } catch { return undefined; } };
const writeState = state => fs.writeFileSync(stateFile, JSON.stringify(state));
/* None of the host's variables: docker exec gives what the image and its flags say. */
const env = { PATH: '/usr/bin:/bin', HOME: here };
fs.appendFileSync(join(here, 'calls'), process.argv.slice(2).join(' ').slice(0, 200).replace(/\n/g, ' ') + '\n');
`;

const cli = String.raw`
const [verb, ...rest] = process.argv.slice(2);
/* yargs in strict mode: "Unknown argument", exit code 1. */
const known = {
  up: ['--workspace-folder', '--docker-path'],
  exec: ['--docker-path', '--container-id'],
  'read-configuration': ['--workspace-folder', '--docker-path'],
}[verb];
const options = {};
while (rest[0] && rest[0].startsWith('--')) {
  const [name, value] = rest.splice(0, 2);
  if (!known || !known.includes(name)) { console.error('Unknown argument: ' + name.slice(2)); process.exit(1); }
  options[name] = value;
}
const log = text => process.stderr.write('[' + new Date().toISOString() + '] ' + text + '\n');
/* The last line of standard output is the result (the function behind "up" writes JSON.stringify(result) + "\n"). */
const end = result => { process.stdout.write(JSON.stringify(result) + '\n'); process.exit(result.outcome === 'error' ? 1 : 0); };
const fail = message => end({ outcome: 'error', message, description: message });
const folder = options['--workspace-folder'];
const configFile = folder && join(folder, '.devcontainer/devcontainer.json');
const readConfig = () => {
  if (fs.existsSync(configFile)) return JSON.parse(fs.readFileSync(configFile, 'utf8'));
  const message = 'Dev container config (' + configFile + ') not found.';
  /* read-configuration writes it to standard error, up gives it as the result, too. */
  log('Error: ' + message);
  if (verb === 'up') fail(message);
  process.exit(1);
};
const inside = fs.readFileSync(join(here, 'inside'), 'utf8');
log('@devcontainers/cli stand-in');
if (verb === 'read-configuration') {
  const configuration = { ...readConfig(), configFilePath: { fsPath: configFile } };
  process.stdout.write(JSON.stringify({ configuration, workspace: { workspaceFolder: inside } }) + '\n');
} else if (verb === 'up') {
  const config = readConfig();
  /* It runs on the host, in the workspace, each time. */
  if (config.initializeCommand) spawnSync('/bin/sh', ['-c', config.initializeCommand], { cwd: folder });
  if (config.dockerComposeFile) fail('spawn docker-compose ENOENT');
  if (config.image === 'missing') { log('Error: no such image'); log('pull access denied'); fail('Command failed: docker pull missing'); }
  const state = readState();
  const containerId = state ? state.id : 'c' + process.pid + Date.now();
  writeState({ id: containerId, isRunning: true, remoteEnv: config.remoteEnv });
  if (config.slow) { log('Step 1/9'); spawnSync('sleep', ['30']); }
  if (!state && config.postCreateCommand) {
    log('Running the postCreateCommand from devcontainer.json...');
    spawnSync('/bin/sh', ['-c', config.postCreateCommand], { cwd: inside, env });
  }
  end({ outcome: 'success', containerId, remoteUser: 'root', remoteWorkspaceFolder: inside });
} else if (verb === 'exec') {
  const state = readState();
  if (!state || state.id !== options['--container-id']) { log('Error: Dev container not found.'); process.exit(1); }
  if (!state.isRunning) { console.error('Shell server terminated (code: 255, signal: null)'); process.exit(1); }
  /* Its metadata and that of the image have variables of the host (getImageMetadataFromContainer, substitute). */
  const remoteEnv = { ...JSON.parse(process.env.FOLIO_TEST_IMAGE_ENV || '{}'), ...state.remoteEnv };
  for (const [name, value] of Object.entries(remoteEnv))
    env[name] = value.replace(/\$\{localEnv:(\w+)\}/g, (whole, local) => process.env[local] || '');
  /* The shell by which it asks for the user's variables outlives it (launch of the shell server, process.exit). */
  spawn('sleep', ['77777'], { stdio: 'ignore' }).unref();
  /* The engine's daemon is its parent, and it leads a session (runc: setsid). */
  const codeFile = join(here, 'code-' + process.pid);
  const script = 'code=$1; shift; "$@"; echo $? > "$code.part"; mv "$code.part" "$code"';
  spawnSync('setsid', ['-f', '/bin/sh', '-c', script, 'sh', codeFile, 'setsid', '-w', ...rest], { env, cwd: '/', stdio: 'inherit' });
  const look = setInterval(() => {
    if (!fs.existsSync(codeFile)) return;
    clearInterval(look);
    /* The code passes through; 128 and the number of a signal. */
    process.exit(Number(fs.readFileSync(codeFile, 'utf8')));
  }, 10);
} else { console.error('Unknown argument: ' + verb); process.exit(1); }
`;

const engine = `
const [verb, ...rest] = process.argv.slice(2);
const state = readState();
if (fs.existsSync(join(here, 'down'))) {
  console.error('Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?');
  process.exit(1);
}
if (verb === 'ps') {
  const id = (rest.find(each => each.startsWith('id=')) || '').slice(3);
  if (state && state.isRunning && state.id === id) console.log(id);
} else if (verb === 'exec' && rest[0] === '--user' && rest[1] === '0') {
  if (!state || !state.isRunning || state.id !== rest[2]) { console.error('No such container: ' + rest[2]); process.exit(1); }
  const { status } = spawnSync(rest[3], rest.slice(4), { env, stdio: 'inherit' });
  process.exit(status === null ? 137 : status);
} else { console.error('docker: unknown command'); process.exit(1); }
`;
