import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DevContainers } from '../../src/extension/node/containers/devContainers.ts';
import { ProgramFinder } from '../../src/extension/node/processes/programs.ts';
import { describeContainer, installDevcontainer } from '../support/devcontainer.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe.skipIf(process.platform !== 'linux')('what the user lets run', () => {
  let workspace: string;
  let containers: DevContainers;

  beforeEach(async () => {
    const folder = await realpath(await temporaryFolder('folio-container-'));
    workspace = join(folder, 'workspace');
    await mkdir(workspace);
    const { bin } = await installDevcontainer(folder, workspace);
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    containers = new DevContainers({
      programs: new ProgramFinder(() => [workspace], env),
      env,
      isApproved: async () => true,
    });
  });

  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
  };
  const plan = () => containers.plan(workspace, new AbortController().signal);
  const facts = async () => (await plan()).facts.map(({ kind, text }) => `${kind} ${text}`);

  it.each([
    ['a feature of the workspace', { features: { './own': {} } }, '.devcontainer/own/install.sh'],
    ['the lock of features', {}, '.devcontainer/devcontainer-lock.json'],
    ['a Dockerfile', { build: { dockerfile: '../Dockerfile' } }, 'Dockerfile'],
    ['a file that Compose includes', { dockerComposeFile: '../a.yml' }, 'more.yml'],
    ['a file that a service extends', { dockerComposeFile: '../a.yml' }, 'base/b.yml'],
    ['the Dockerfile of a service', { dockerComposeFile: '../a.yml' }, 'api/Own.Dockerfile'],
    ['the variables of Compose', { dockerComposeFile: '../a.yml' }, '.env'],
    ['what Compose finds of itself', { dockerComposeFile: [] }, 'docker-compose.override.yml'],
    ['a script on the host', { initializeCommand: 'sh prepare.sh' }, 'prepare.sh'],
    ['what lies behind a link', {}, 'tools/feature/install.sh'],
  ])('is another thing once %s has changed', async (_, more, file) => {
    await describeContainer(workspace, more);
    await write(
      'a.yml',
      'include: [more.yml]\nservices:\n  app: { extends: { file: base/b.yml, service: x }, build: { context: api, dockerfile: Own.Dockerfile } }\n',
    );
    await mkdir(join(workspace, 'tools/feature'), { recursive: true });
    await symlink(join(workspace, 'tools'), join(workspace, '.devcontainer/linked'));
    await write(file, 'one');
    const before = await plan();
    await write(file, 'two');
    const after = await plan();
    expect(after.whole).not.toBe(before.whole);
    expect((await plan()).whole).toBe(after.whole);
  });

  it('is the same after it has made an empty file that it names', async () => {
    await describeContainer(workspace, { initializeCommand: 'touch prepared .devcontainer/.env' });
    const before = await plan();
    await write('prepared', '');
    await write('.devcontainer/.env', '');
    expect((await plan()).whole).toBe(before.whole);
  });

  it('names what Compose opens to the container, also by keys that nobody here knows', async () => {
    await describeContainer(workspace, { dockerComposeFile: ['../a.yml'], service: 'app' });
    await write(
      'a.yml',
      `services:
  app:
    image: tiny
    volumes: ["/:/host", "data:/data"]
    pid: host
    key_of_tomorrow: 1
    environment: [AWS_SECRET, PLAIN=1, "OTHER=\${NAMED:-x}"]
    build: { context: ., ssh: [default] }
volumes: { data: { driver_opts: { device: / } }, own: }
`,
    );
    expect(await facts()).toEqual(
      expect.arrayContaining([
        `image ${join(workspace, 'a.yml')}`,
        'mount /:/host',
        'privilege app.pid: "host"',
        'privilege app.key_of_tomorrow: 1',
        'privilege app.build.ssh: ["default"]',
        'privilege volumes: {"data":{"driver_opts":{"device":"/"}},"own":null}',
        'variable NAMED',
        'variable AWS_SECRET',
      ]),
    );
    expect(await facts()).not.toContain('variable PLAIN=1');
  });

  it('names what a build, a Dockerfile and a feature of the workspace take for themselves', async () => {
    await describeContainer(workspace, {
      build: { dockerfile: 'Dockerfile', context: '../..', options: ['--secret', 'id=k,src=/key'] },
      features: { './own': {} },
      initializeCommand: 'login $REGISTRY_TOKEN',
    });
    await write('.devcontainer/Dockerfile', 'FROM tiny\nLABEL devcontainer.metadata="[]"\n');
    await write(
      '.devcontainer/own/devcontainer-feature.json',
      '{ // As the specification allows.\n "privileged": true, "mounts": ["source=/,target=/host,type=bind"], "postStartCommand": "sh", }',
    );
    expect(await facts()).toEqual(
      expect.arrayContaining([
        `mount ${dirname(workspace)}`,
        'privilege build: --secret id=k,src=/key',
        'privilege LABEL devcontainer.metadata="[]"',
        'privilege privileged',
        'mount source=/,target=/host,type=bind',
        'command sh',
        'variable REGISTRY_TOKEN',
      ]),
    );
  });
});
