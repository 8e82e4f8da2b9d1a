import { expect, test } from 'vitest';
import { VscodeDisabledItems } from '../../src/extension/vscode/vscodeDisabledItems.ts';

/** @param everywhere what the user's settings name. @param kept for the workspace */
function open(
  everywhere: readonly string[],
  { kept, isOpen = true }: { kept?: unknown; isOpen?: boolean } = {},
) {
  const world = { everywhere, kept, ofWorkspace: undefined as unknown };
  const switches = new VscodeDisabledItems({
    everywhere: () => world.everywhere,
    setEverywhere: async names => {
      world.everywhere = names;
    },
    ofWorkspace: () => world.ofWorkspace,
    here: () =>
      isOpen
        ? {
            read: () => world.kept,
            write: async value => {
              // As a window keeps it.
              world.kept = JSON.parse(JSON.stringify(value));
            },
          }
        : undefined,
  });
  return { world, switches };
}

test('what is switched off in a workspace is kept for it alone, until it is switched on again', async () => {
  const { world, switches } = open(['audit']);
  await switches.set(['tides'], 'off');
  await switches.set(['box', 'tides'], 'off');
  expect(switches.listDisabled()).toEqual(['audit', 'box', 'tides']);
  expect(world.everywhere).toEqual(['audit']);
  await switches.set(['tides', 'box'], 'on');
  expect(switches.listDisabled()).toEqual(['audit']);
  expect(world.kept).toEqual({ off: [], on: [] });
});

test('what is off everywhere can be on in one workspace, and off there again', async () => {
  const { world, switches } = open(['tides']);
  await switches.set(['tides'], 'on');
  expect([switches.listDisabled(), world.everywhere]).toEqual([[], ['tides']]);
  await switches.set(['tides'], 'off');
  expect(switches.listDisabled()).toEqual(['tides']);
});

test('where no workspace is open it holds everywhere', async () => {
  const { world, switches } = open(['audit'], { isOpen: false });
  await switches.set(['tides'], 'off');
  await switches.set(['audit'], 'on');
  expect([switches.listDisabled(), world.everywhere]).toEqual([['tides'], ['tides']]);
});

test('the settings of a workspace switch nothing off, and a sentence says so', async () => {
  const { world, switches } = open(['audit']);
  expect(switches.problems()).toEqual([]);
  world.ofWorkspace = ['guard', 'ev\u202Eil', 7];
  expect(switches.listDisabled()).toEqual(['audit']);
  expect(switches.problems()).toEqual([
    'The workspace settings disable guard, ev\\u{202E}il (folio.disabled). This is ignored, because only you can do that: use "Folio: Show Servers, Commands, Agents and Skills", or your user settings.',
  ]);
});

test.each([['nothing'], [{ off: 'guard' }], [['guard']], [{ off: [1], on: null }]])(
  'what was kept in another shape is as good as nothing: %j',
  kept => {
    expect(open(['audit'], { kept }).switches.listDisabled()).toEqual(['audit']);
  },
);
