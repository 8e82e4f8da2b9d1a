/* Validates arguments from other extensions by hand, to name the invalid member in a sentence. */

import { isRecord } from '../../base/record.ts';
import { apiError } from './apiError.ts';
import type { FolioContextProvider, FolioHook, FolioPromptOptions, FolioTool } from './folioApi.ts';

const maxPromptLength = 200_000;
const maxDescriptionLength = 1_000;
const maxLabelLength = 80;
const maxSchemaLength = 20_000;

export function checkExtensionId(id: unknown): string {
  if (typeof id === 'string' && /^[\w-]+\.[\w-]+$/.test(id) && id.length <= 120) return id;
  throw wrong('connect takes the id of your extension, for example "publisher.name"');
}

export function checkPrompt(text: unknown, options: unknown): asserts text is string {
  if (typeof text !== 'string' || text.trim() === '')
    throw wrong('sendPrompt takes a text that is not empty');
  if (text.length > maxPromptLength) throw wrong(`sendPrompt takes at most ${maxPromptLength} characters`);
  if (options === undefined) return;
  const { newSession }: Partial<Record<keyof FolioPromptOptions, unknown>> = isRecord(options) ? options : {};
  if (!isRecord(options) || (newSession !== undefined && typeof newSession !== 'boolean'))
    throw wrong('The options of sendPrompt are an object whose newSession is true or false');
}

export function checkFunction(value: unknown, name: string): void {
  if (typeof value !== 'function') throw wrong(`${name} must be a function`);
}

/** Returns a copy, so that later changes by the caller have no effect. */
export function checkTool(tool: FolioTool): FolioTool {
  if (!isRecord(tool)) throw wrong('registerTool takes an object');
  const { name, description, inputSchema, effect, invoke } = tool;
  if (typeof name !== 'string' || !/^[A-Za-z]\w{0,39}$/.test(name))
    throw wrong('The name of a tool is up to 40 letters, digits and underscores, and begins with a letter');
  const isDescribed = typeof description === 'string' && description.trim() !== '';
  if (!isDescribed || description.length > maxDescriptionLength)
    throw wrong(`The description of ${name} must be a text of at most ${maxDescriptionLength} characters`);
  if (effect !== 'read' && effect !== 'write') throw wrong(`The effect of ${name} must be "read" or "write"`);
  checkFunction(invoke, `invoke of ${name}`);
  return { name, description, inputSchema: checkSchema(name, inputSchema), effect, invoke };
}

function checkSchema(name: string, schema: unknown): FolioTool['inputSchema'] {
  if (!isRecord(schema) || schema.type !== 'object')
    throw wrong(`The inputSchema of ${name} must be a JSON Schema of type "object"`);
  const json = toJson(schema);
  if (json === undefined || json.length > maxSchemaLength)
    throw wrong(`The inputSchema of ${name} must be plain JSON of at most ${maxSchemaLength} characters`);
  return JSON.parse(json);
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // Cyclic, or not representable in JSON.
    return undefined;
  }
}

export function checkProvider(provider: FolioContextProvider): FolioContextProvider {
  if (!isRecord(provider)) throw wrong('registerContext takes an object');
  const { label, provide } = provider;
  if (typeof label !== 'string' || label.trim() === '' || label.length > maxLabelLength)
    throw wrong(`The label of a context provider must be a text of at most ${maxLabelLength} characters`);
  checkFunction(provide, 'provide of a context provider');
  return { label, provide };
}

export function checkHook(hook: FolioHook): FolioHook {
  if (!isRecord(hook)) throw wrong('registerHook takes an object');
  const { tools, beforeTool, afterTool }: FolioHook = hook;
  const isList = Array.isArray(tools) && tools.length > 0 && tools.every(each => typeof each === 'string');
  if (tools !== undefined && !isList) throw wrong('The tools of a hook must be a list of names');
  if (beforeTool === undefined && afterTool === undefined)
    throw wrong('A hook needs beforeTool or afterTool');
  if (beforeTool !== undefined) checkFunction(beforeTool, 'beforeTool of a hook');
  if (afterTool !== undefined) checkFunction(afterTool, 'afterTool of a hook');
  return { tools: tools && [...tools], beforeTool, afterTool };
}

function wrong(what: string): Error {
  return apiError('input', `${what}.`);
}
