import type { Blob, Part, Usage } from '../../../protocol/events.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { fenced, formatBytes, oneLine } from '../../base/text.ts';
import { isSigned } from '../history/signatures.ts';
import type { ModelRequest, ToolDeclaration } from '../model.ts';

/** Facts about a request that it does not hold itself. */
export interface SentAs {
  /** When it was sent: milliseconds since the Unix epoch. */
  readonly at?: number;
  /** As the provider counted it; absent while the answer is awaited, and when there was none. */
  readonly usage?: Usage;
}

/** A request as a person reads it, as Markdown: all that was sent, with secrets masked. */
export function describeRequest(request: ModelRequest, sent: SentAs): string {
  const { system, tools, messages } = request;
  const parts = [
    '# What was sent',
    facts(request, sent).join('\n'),
    '## System prompt',
    system === '' ? 'None.' : fenced(system),
    `## Tools (${tools.length})`,
    ...(tools.length === 0 ? ['None.'] : tools.flatMap(describeTool)),
    `## Messages (${messages.length})`,
    ...messages.flatMap(({ role, parts: said }, index) => [
      `### ${index + 1}. ${role === 'user' ? 'User' : 'Model'}`,
      ...said.flatMap(describePart),
    ]),
  ];
  return `${maskSecrets(parts.join('\n\n'))}\n`;
}

function facts({ model, temperature, builtIn }: ModelRequest, { at, usage }: SentAs): string[] {
  const lines = [`- Model: ${model}`];
  if (at !== undefined) lines.push(`- Sent: ${new Date(at).toLocaleString()}`);
  if (temperature !== undefined) lines.push(`- Temperature: ${temperature}`);
  if (builtIn !== undefined) lines.push(`- Done by the provider itself: ${builtIn}`);
  lines.push(`- Tokens: ${usage ? describeUsage(usage) : 'not counted by the provider'}`);
  lines.push(
    '- Keys, tokens and passwords that were recognised are masked here; they were sent as they are.',
  );
  return lines;
}

function describeUsage({ prompt, cached, output, thoughts }: Usage): string {
  return `${prompt} in the request, ${cached} of them from the cache; ${output} in the answer, ${thoughts} in thoughts`;
}

function describeTool({ name, description, parameters }: ToolDeclaration): string[] {
  return [
    `### ${plain(name)}`,
    fenced(description),
    fenced(JSON.stringify(parameters, undefined, 2), 'json'),
  ];
}

function describePart(part: Part): string[] {
  switch (part.kind) {
    case 'text':
      return ['Text:', fenced(part.text)];
    case 'thought':
      return [isSigned(part) ? 'Thought:' : 'Thought (unsigned, so it is not sent):', fenced(part.text)];
    case 'call':
      return [`Call of ${label(part)}:`, fenced(JSON.stringify(part.args, undefined, 2), 'json')];
    case 'result': {
      const heading = `Result of ${label(part)}${part.ok ? '' : ', failed'}:`;
      return [heading, fenced(part.text), ...(part.blobs ?? []).map(describeBlob)];
    }
    case 'blob':
      return [describeBlob(part.blob)];
  }
}

function describeBlob({ mimeType, data }: Blob): string {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return `Content of type ${plain(mimeType)}, ${formatBytes((data.length / 4) * 3 - padding)}.`;
}

function label({ name, id }: { readonly name: string; readonly id: string }): string {
  return `\`${plain(name)}\` (${plain(id)})`;
}

/** Names come from models and servers: they stay on their line and within their ticks. */
function plain(name: string): string {
  return oneLine(name, 200).replaceAll('`', "'");
}
