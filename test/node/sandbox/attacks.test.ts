import { describe, expect, test } from 'vitest';
import { allTests } from '../../support/eachTest.ts';
import { chanceFrom, runSize, seed } from '../../support/runSize.ts';
import { SandboxWorld } from '../../support/sandboxWorld.ts';
import { type Attack, attacks, secretFiles } from './attacks.ts';

/** Attacks that share one sandbox: in the large run size each has its own. */
const together = runSize({ test: 60, prove: 1 });

const refuse = async () => ({ kind: 'refused', why: 'Nobody grants it.' }) as const;

/**
 * The first sandboxes meet every attack. The others are the same but for what they are about, and meet some by chance.
 */
function drawn(among: readonly Attack[]): readonly Attack[] {
  const chance = chanceFrom();
  const wanted = runSize({ test: 12, prove: among.length });
  const order = among.map(attack => ({ attack, at: chance() })).sort((one, other) => one.at - other.at);
  const chosen = new Set(order.slice(0, wanted).map(({ attack }) => attack));
  return among.filter(attack => chosen.has(attack));
}

/** A command that is answered stays in the session of its terminal, so its sandbox is others. */
const profiles = [
  { how: 'of a command', answerable: false, tried: attacks },
  // It is started in a network that others had before.
  { how: 'of a command that may ask for hosts', answerable: false, tried: drawn(attacks), onWanted: refuse },
  {
    how: 'of a command in a terminal of its own',
    answerable: true,
    // It may write to what is its own.
    tried: drawn(attacks.filter(({ name }) => name !== 'opens the terminal')),
  },
];

const onLinux = describe.skipIf(process.platform !== 'linux');

onLinux.each(profiles)(`attacks on the sandbox $how (seed ${seed})`, profile => {
  const { answerable, tried, onWanted } = profile;
  const world = allTests(() => SandboxWorld.make(secretFiles));

  test('there are at least 150, each with a name of its own', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(150);
    expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
  });

  test('the sandbox works here', async () => {
    const why = await world.sandbox.whyMissing();
    if (why !== undefined) throw new Error(why());
    const { code, output } = await world.run('test -t 1; echo "$?"; cat file', {
      answerable,
      onHostRequested: onWanted,
    });
    const isTerminal = answerable ? 0 : 1;
    expect([code, output.replaceAll('\r', '')]).toEqual([0, `${isTerminal}\none\ntwo\n`]);
  });

  test('none gets out', async () => {
    const before = world.fingerprint();
    for (const batch of inBatches(tried)) {
      const ran = await world.run(batch.map(lineOf).join('\n'), { answerable, onHostRequested: onWanted });
      const output = ran.output.replaceAll('\r', '');
      const last = batch.at(-1)!;
      // Without a sandbox around it, or with one that could not be built, nothing was tried at all.
      expect(output, `Nothing ran, or not all: ${output.slice(-2000)}`).toContain(`=== ${last.name}\n`);
      const won = batch.filter(attack => /CANARY|ESCAPED/.test(outputOf(attack, output)));
      expect(won.map(attack => `${attack.name}: ${outputOf(attack, output)}`)).toEqual([]);
      if (batch.every(survives)) expect(output).toContain('all tried');
      const names = batch.map(({ name }) => name).join(', ');
      expect(world.fingerprint(), names).toBe(before);
      expect([world.connections, world.isVictimAlive], names).toEqual([0, true]);
    }
  });
});

/** What ends everything inside ends the attacks after it, too. */
const survives = ({ line }: Attack) => !/^(?:kill -9 -?1\b|pkill)/.test(line);

function inBatches(all: readonly Attack[]): readonly (readonly Attack[])[] {
  const kind = all.filter(survives);
  const count = Math.ceil(kind.length / together);
  const batches = Array.from({ length: count }, (_, at) => kind.slice(at * together, (at + 1) * together));
  return [...batches, ...all.filter(attack => !survives(attack)).map(attack => [attack])];
}

function lineOf({ name, line }: Attack, at: number, all: readonly Attack[]): string {
  const quoted = line.replaceAll("'", "'\\''");
  const end = at === all.length - 1 ? '\necho; echo "=== all tried"' : '';
  return `echo; echo "=== ${name}"; timeout -k 1 20 bash -c '${quoted}' </dev/null 2>&1${end}`;
}

/** What it printed, without what it tried. */
function outputOf({ name, line }: Attack, output: string): string {
  const start = output.indexOf(`=== ${name}\n`);
  if (start < 0) return `ESCAPED: it did not run`;
  const rest = output.slice(start + name.length + 5);
  return rest.slice(0, rest.indexOf('\n===')).replaceAll(line, '');
}
