import { expect, test } from 'vitest';
import { toToolResult } from '../../src/extension/mcp/tools/resultContent.ts';

const call = { saveOutput: async () => undefined };

test.each([[{}], [{ content: [] }], [{ content: [{ type: 'text', text: ' \n' }] }]])(
  'a server that answers with nothing has done what it was asked for: %j',
  async answer => {
    const { text, display } = await toToolResult(answer, call);
    expect(text).toBe('The call succeeded, and the server answered with nothing.');
    expect(display.summary()).toBe('Done');
  },
);
