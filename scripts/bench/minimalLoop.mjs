/*
 * A minimal agent loop: streamed answers over fetch, one read tool, nothing else. It does what any agent must do, and
 * is the reference for the other contestants.
 * Usage: node minimalLoop.mjs --prompt TEXT --workspace DIR --model M
 */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const { values } = parseArgs({ options: { prompt: text, workspace: text, model: text } });
const url = `${process.env.GOOGLE_GEMINI_BASE_URL}/v1beta/models/${values.model}:streamGenerateContent?alt=sse`;

const readTool = {
  name: 'read_file',
  description: 'Reads a text file.',
  parameters: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
};

const contents = [{ role: 'user', parts: [{ text: values.prompt }] }];
while (true) {
  const parts = await ask();
  contents.push({ role: 'model', parts });
  const calls = parts.filter(part => part.functionCall);
  if (calls.length === 0) break;
  contents.push({ role: 'user', parts: await Promise.all(calls.map(answer)) });
}
process.stdout.write('\n');

async function ask() {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': process.env.GEMINI_API_KEY },
    body: JSON.stringify({
      systemInstruction: { parts: [{ text: 'You are a coding agent. Read files with read_file.' }] },
      contents,
      tools: [{ functionDeclarations: [readTool] }],
    }),
  });
  if (!response.ok) throw new Error(`The server answered ${response.status}: ${await response.text()}`);
  const parts = [];
  for await (const chunk of chunksOf(response.body)) {
    for (const part of chunk.candidates?.[0]?.content?.parts ?? []) take(parts, part);
  }
  return parts;
}

function take(parts, part) {
  if (part.text) process.stdout.write(part.text);
  const last = parts.at(-1);
  if (part.text !== undefined && last?.text !== undefined) last.text += part.text;
  else parts.push({ ...part });
}

async function* chunksOf(body) {
  let rest = '';
  for await (const bytes of body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + bytes).split(/\r?\n\r?\n/);
    rest = events.pop();
    for (const event of events) yield JSON.parse(event.replace(/^data: /, ''));
  }
}

async function answer({ functionCall: { id, name, args } }) {
  const output = await readFile(resolve(values.workspace, args.file_path), 'utf8');
  return { functionResponse: { id, name, response: { output } } };
}
