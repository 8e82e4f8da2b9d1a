/** A command, an agent and a skill, as a workspace brings them: contents of files by path. */
export const customizations: Readonly<Record<string, string>> = {
  '.gemini/commands/team/look.toml': 'description = "Looks around"\nprompt = "Look at {{args}}"\n',
  '.gemini/agents/herder.md':
    '---\nname: herder\ndescription: Brings sheep home\ntools: [read_file]\n---\nYou bring sheep home.\n',
  '.gemini/skills/counting-sheep/SKILL.md':
    '---\nname: counting-sheep\ndescription: Counts sheep by their legs\n---\nDivide the legs by four.\n',
  '.gemini/skills/counting-sheep/leaves/legs.md': 'Four legs each.\n',
};
