import { describe, expect, test } from 'vitest';
import { parseEvent } from '../../src/extension/core/recording/parseEvent.ts';
import { eventSchemas } from '../../src/protocol/eventTable.ts';
import { eventExamples } from '../support/messageExamples.ts';
import { findImports, readSources } from '../support/sourceFiles.ts';

const table = 'src/protocol/eventTable.ts';

/** A type that is read off a row spells nothing again. */
const spelled = (text: string) =>
  [...text.replace(/\bSessionEvent(?:Body)?<[^>]*>/g, '').matchAll(/'([a-z]+\.[a-z]+)'/g)].flatMap(
    ([, name]) => (name !== undefined && Object.hasOwn(eventSchemas(), name) ? [name] : []),
  );

describe('the table of events', () => {
  test('names each event, and beside it in the protocol only the fold', async () => {
    const naming = (await readSources('src/protocol')).filter(({ text }) => spelled(text).length > 0);
    const others = naming.map(({ path }) => path).filter(path => !/\/reduce\w*\.ts$/.test(path));
    expect(others).toEqual([table]);
  });

  test('is all that a journal is read and masked by, but for what earlier versions left out', async () => {
    const readers = (await readSources('src/extension/core/recording')).filter(({ path }) =>
      /\/(?:parse|mask)Event\.ts$/.test(path),
    );
    expect(readers.flatMap(({ text }) => spelled(text))).toEqual(['session.rewound']);
  });

  test('is loaded only by the two files that read and mask: everyone else imports its types', async () => {
    const loading = (await readSources('src')).filter(({ text }) =>
      findImports(text.replace(/^import type \{[^}]*\} from .*$/gm, '')).some(specifier =>
        specifier.endsWith('/eventTable.ts'),
      ),
    );
    expect(loading.map(({ path }) => path).toSorted()).toEqual([
      'src/extension/core/recording/maskEvent.ts',
      'src/extension/core/recording/parseEvent.ts',
    ]);
  });

  // What is filled in for earlier versions, which did not write it.
  const completed = ['todos', 'reviews'];

  test.for(Object.keys(eventSchemas()))(
    'has %s read as it is written, and not without a member that is asked for',
    type => {
      const examples = eventExamples.filter(event => event.type === type);
      expect(examples.length).toBeGreaterThan(0);
      for (const event of examples) {
        expect(parseEvent(JSON.stringify(event))).toEqual(event);
        for (const member of Object.keys(event)) {
          const isAbsent = examples.some(other => !Object.hasOwn(other, member));
          const line = JSON.stringify({ ...event, [member]: undefined });
          if (!isAbsent && !(type === 'session.rewound' && completed.includes(member)))
            expect(parseEvent(line), line).toBeUndefined();
        }
      }
    },
  );
});
