/* Initial content of a new subagent's or skill's file, for the user to edit. */

interface Described {
  readonly name: string;
  readonly description: string;
}

export function agentText({ name, description, tools }: Described & { readonly tools: string }): string {
  const names = splitTools(tools);
  const list = names.length === 0 ? [] : ['tools:', ...names.map(each => `  - ${quoted(each)}`)];
  return [
    '---',
    `name: ${quoted(name)}`,
    `description: ${quoted(description)}`,
    ...list,
    '---',
    '',
    `You are sent out for this: ${oneParagraph(description)}`,
    '',
    'Do what the task says and nothing beside it. Look before you change anything.',
    'End with a short report: what you did or found, in which files, and what stays open.',
    '',
  ].join('\n');
}

export function skillText({ name, description }: Described): string {
  return [
    '---',
    `name: ${quoted(name)}`,
    `description: ${quoted(description)}`,
    '---',
    '',
    `# ${name}`,
    '',
    oneParagraph(description),
    '',
    '## Steps',
    '',
    '1. Say here what is to be done first.',
    '2. Name files of this folder that help, by their relative path.',
    '',
  ].join('\n');
}

export function splitTools(tools: string): readonly string[] {
  return tools.split(/[,\s]+/).filter(name => name !== '');
}

/** Quotes as JSON, which is valid YAML, so that a name like a number stays a string. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

function oneParagraph(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
