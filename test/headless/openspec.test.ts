import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { allTests, eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { OpenspecTemplate, openspec } from '../support/openspec.ts';

const proposal = `## Why

People lose accounts when a password leaks, and a second factor keeps a stranger out.

## What Changes

- Ask for a code after the password
`;

const spec = `## ADDED Requirements

### Requirement: Second factor

The system SHALL ask for a code after the password.

#### Scenario: Right password

- **WHEN** the password is right
- **THEN** a code is asked for
`;

describe.each(['gemini', 'claude'])('spec-driven work as openspec sets it up for %s', tool => {
  const template = allTests(() => OpenspecTemplate.make(tool));
  const world = eachTest(() => HeadlessWorld.make());
  beforeEach(async () => {
    await template.copyTo(world.workspace);
  });

  it('goes from a command of a prompt to a change that the program itself finds in order, and archives', async () => {
    const place = 'openspec/changes/add-x';
    world.server.script(
      [
        call('write_file', { file_path: `${place}/proposal.md`, content: proposal }),
        call('write_file', {
          file_path: `${place}/tasks.md`,
          content: '## 1. Code\n\n- [x] 1.1 Ask for it\n',
        }),
        call('write_file', { file_path: `${place}/specs/login/spec.md`, content: spec }),
      ],
      [text('Proposed.')],
    );
    const run = await world.run([
      '--prompt',
      '/opsx:propose ADD x',
      '--trusted',
      '--approval-mode',
      'autoEdit',
    ]);
    expect(run).toMatchObject({ code: 0, out: expect.stringContaining('Proposed.') });
    const [first] = world.server.requests;
    const asked = JSON.stringify(first?.body.contents);
    expect(asked).toContain('ADD x');
    expect(asked).toContain('generate all artifacts in one step');
    expect(JSON.stringify(first?.body.systemInstruction)).toContain('openspec-propose');
    expect(await openspec(world.workspace, 'validate', 'add-x', '--strict')).toContain("'add-x' is valid");
    await openspec(world.workspace, 'archive', 'add-x', '--yes');
    const main = await readFile(join(world.workspace, 'openspec/specs/login/spec.md'), 'utf8');
    expect(main).toContain('Requirement: Second factor');
  });

  it('is not used before the user has let it count', async () => {
    const { code, error } = await world.run(['--prompt', '/opsx:propose ADD x']);
    expect(code).toBe(2);
    expect(error).toContain('/opsx:propose comes from this workspace');
    expect(world.server.requests).toEqual([]);
  });
});
