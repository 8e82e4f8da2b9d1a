import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot, toolEnvironment } from '../../scripts/run.ts';
import { serverFolder, serverVersion } from '../../scripts/vscodeHost/install.ts';
import { packArchive, startRegistry } from '../support/registry.ts';

const onPosix = test.skipIf(process.platform === 'win32');

onPosix(
  'a registry that answers nonsense ends the install with one sentence that says what to do',
  async () => {
    const { registry, install } = await makeWorld();
    registry.answer = response => void response.end('<html>Sign in first</html>');
    const { code, said } = await install();
    expect(code).toBe(1);
    expect(said).toMatch(
      /^Fetching the VS Code server .*…\nnpm could not fetch the package code-server \(.+\): check that .+\.\n$/,
    );
  },
);

onPosix('an install that is killed while npm works is finished by the next one', async () => {
  const { registry, root, install, startInstall } = await makeWorld();
  const halfway = new Promise<void>(resolve => {
    registry.answer = (response, path) => {
      if (path === '/needed') resolve();
      else registry.serve(response, path);
    };
  });
  const killed = startInstall();
  await halfway;
  killed.kill('SIGKILL');
  await once(killed, 'close');
  const server = join(root, 'package', 'lib', 'vscode');
  // As npm leaves a package when it is killed in the middle of it.
  const half = join(server, 'node_modules', 'half');
  await mkdir(half, { recursive: true });

  registry.answer = registry.serve;
  expect(await install()).toEqual({ code: 0, said: 'Installing its packages …\n' });
  expect(existsSync(join(server, 'node_modules', 'needed', 'package.json'))).toBe(true);
  expect(existsSync(half)).toBe(false);
  expect(JSON.parse(await readFile(join(server, 'package.json'), 'utf8')).dependencies).toEqual({
    needed: '1.0.0',
  });

  // What is there is not fetched again.
  registry.answer = response => void response.destroy();
  expect(await install()).toEqual({ code: 0, said: '' });
});

/** A registry with a VS Code server that needs one package and would like another, and a cache folder of its own. */
async function makeWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'folio-install-'));
  const dependencies = { needed: '1.0.0', kerberos: '1.0.0' };
  const registry = await startRegistry({
    'code-server': {
      version: serverVersion,
      archive: await packArchive({
        'package.json': JSON.stringify({ name: 'code-server', version: serverVersion }),
        'lib/vscode/package.json': JSON.stringify({ name: 'vscode', version: '1.0.0', dependencies }),
        'lib/vscode/extensions/package.json': JSON.stringify({ name: 'extensions', version: '1.0.0' }),
      }),
    },
    needed: {
      version: '1.0.0',
      archive: await packArchive({ 'package.json': '{ "name": "needed", "version": "1.0.0" }' }),
    },
  });
  onTestFinished(async () => {
    // An npm that outlived its killed parent ends with its connection.
    await registry.dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const script = join(folder, 'install.mjs');
  await writeFile(script, installing);
  const env = toolEnvironment({
    XDG_CACHE_HOME: folder,
    npm_config_cache: join(folder, 'npm'),
    npm_config_registry: registry.address,
    npm_config_fetch_retries: '0',
  });
  return {
    registry,
    root: join(folder, 'folio', serverFolder),
    startInstall: () => spawn(process.execPath, [script], { env, stdio: 'ignore' }),
    install: () =>
      new Promise<{ readonly code: unknown; readonly said: string }>(resolve => {
        execFile(process.execPath, [script], { env }, (error, _, said) =>
          resolve({ code: error === null ? 0 : error.code, said }),
        );
      }),
  };
}

const installing = `
import { installServer } from ${JSON.stringify(join(projectRoot, 'scripts', 'vscodeHost', 'install.ts'))};
await installServer().catch(error => {
  console.error(error.message);
  process.exitCode = 1;
});
`;
