import { beforeEach, expect, test } from 'vitest';
import { readJournals } from '../../../src/extension/core/recording/readEvents.ts';
import { NodeSessionStore } from '../../../src/extension/node/sessions/nodeSessionStore.ts';
import type { SessionEventBody } from '../../../src/protocol/events.ts';
import { isAgentEvent } from '../../../src/protocol/fold/agents.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

let folder: string;
let store: NodeSessionStore;

beforeEach(async () => {
  folder = await temporaryFolder('folio-read-');
  store = new NodeSessionStore(folder);
});

async function readOwn(sessionId: string) {
  const [own = []] = await readJournals(store, sessionId);
  return own;
}

async function write(...lines: readonly string[]): Promise<void> {
  const journal = await store.openJournal('s');
  for (const line of lines) journal.append(line);
  await journal.close();
}

const line = (seq: number, body: SessionEventBody) => JSON.stringify({ ...body, seq, at: seq });

test('every line of a journal is there once and in order, however long it is and whatever letters it has', async () => {
  const words = Array.from({ length: 60 }, (_, index) => `${'ü→🙂x'.repeat(7_001)} ${index}`);
  const said = words.map((text, index) => line(index + 1, { type: 'text.appended', stepId: 's', text }));
  await write(...said.slice(0, 30), 'no event', ...said.slice(30));
  const events = await readOwn('s');
  expect(events).toHaveLength(61);
  expect(events[30]).toBeUndefined();
  const texts = events.flatMap(reported =>
    reported && !isAgentEvent(reported) && reported.type === 'text.appended' ? [reported.text] : [],
  );
  expect(texts).toEqual(words);
});

test('a picture is the same in its prompt and in the message that the model got', async () => {
  const blob = { mimeType: 'image/png', data: 'AAEC'.repeat(1000) };
  const attachments = [{ kind: 'image', name: 'a.png', blob }] as const;
  const message = {
    role: 'user',
    parts: [
      { kind: 'text', text: 'Look' },
      { kind: 'blob', blob },
    ],
  } as const;
  const bodies: readonly SessionEventBody[] = [
    { type: 'turn.started', turnId: 't', text: 'Look', attachments },
    { type: 'message.added', message },
  ];
  await write(...bodies.map((body, index) => line(index + 1, body)));
  const events = await readOwn('s');
  expect(events).toEqual(bodies.map((body, index) => ({ ...body, seq: index + 1, at: index + 1 })));
});

test('a session that is not there is said to be not there', async () => {
  await expect(readOwn('none')).rejects.toThrow('There is no session none.');
});
