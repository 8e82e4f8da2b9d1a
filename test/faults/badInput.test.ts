/* What a user gets wrong, or a network between: each wire's real client, and what it says about the next step. */

import { describe, expect, test } from 'vitest';
import { badInputsOf, badInputWires, usualPath, wireNames } from '../support/badInput.ts';
import { expectSentence } from '../support/faultWorld.ts';
import { FaultyServer } from '../support/faultyServer.ts';
import { failed, notify, requestOf, user } from '../support/geminiClient.ts';

const scan = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };

describe.for(wireNames)('over %s', wire => {
  test.for(badInputsOf(wire))(
    '$what is told in one sentence with the next step',
    async ({ answer, path = usualPath(wire), key, kind, says }) => {
      const server = new FaultyServer();
      await server.start();
      server.always = answer;
      const provider = badInputWires[wire].at(`${server.origin}${path}`, key);
      const { end } = await notify(provider.stream(requestOf([user('Hi')], { model: 'x', tools: [scan] })));
      const error = failed(end);
      expect([error.kind, error.message]).toEqual([kind, expect.stringMatching(says)]);
      expectSentence(error.message);
      if (key !== undefined) expect(`${error.message} ${error.cause}`).not.toContain(key);
      if (/the setting/.test(error.message)) expect(error.message).toContain(badInputWires[wire].setting);
      // The one of Anthropic asks first what the model can do, which has no body.
      expect(server.requests.filter(({ body }) => body !== '').length).toBeLessThan(2);
      expect(server.requests).not.toEqual([]);
      await server.stop();
    },
  );
});
