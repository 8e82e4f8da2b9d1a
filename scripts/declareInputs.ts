/* Makes the JSON schemas of our own tools at build time. */

import { invokeAgent } from '../src/extension/core/agents/invokeAgent.ts';
import { describeInput } from '../src/extension/core/calls/declarations.ts';
import type { JsonSchema } from '../src/extension/core/calls/declaredInputs.ts';
import { answerComment } from '../src/extension/core/comments/answerComment.ts';
import { findTools } from '../src/extension/core/foreign/findTools.ts';
import { runToolScript } from '../src/extension/core/foreign/runToolScript.ts';
import { builtInTools } from '../src/extension/tools/tools.ts';

/** Stands in for all ports, which a tool uses only when called. */
// biome-ignore lint/suspicious/noExplicitAny: it stands for ports of any type.
const absent: any = new Proxy(() => absent, { get: () => absent });

/** Returns the schemas by tool name. */
export function declareInputs(): Readonly<Record<string, JsonSchema>> {
  const tools = [
    ...builtInTools(absent, absent, absent, absent, absent, absent, absent),
    invokeAgent(absent, absent),
    findTools(absent),
    runToolScript([], absent),
    answerComment(absent),
  ];
  return Object.fromEntries(tools.map(tool => [tool.name, describeInput(tool)]));
}
