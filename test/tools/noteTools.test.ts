import { describe, expect, test } from 'vitest';
import { createNewTopicTool } from '../../src/extension/tools/createNewTopic.ts';
import { writeTodosTool } from '../../src/extension/tools/writeTodos.ts';
import type { Todo } from '../../src/protocol/values.ts';
import { useTool } from '../support/useTool.ts';

describe('create_new_topic', () => {
  function topics() {
    const started: [string, string | undefined][] = [];
    const tool = createNewTopicTool({
      hasChapters: () => true,
      startTopic: (title, summary) => {
        if (started.at(-1)?.[0] === title) return false;
        started.push([title, summary]);
        return true;
      },
    });
    return { started, tool };
  }

  test('starts a chapter and answers in the agreed words', async () => {
    const { started, tool } = topics();
    const result = await useTool(tool, { title: '  Fixing\n the   race ', summary: ' Found\tit. ' });
    expect(result.text).toBe('Topic changed to: "Fixing the race"');
    expect(started).toEqual([['Fixing the race', 'Found it.']]);
  });

  test('the title that is active already starts nothing', async () => {
    const { started, tool } = topics();
    await useTool(tool, { title: 'Same' });
    const again = await useTool(tool, { title: 'Same ' });
    expect(again.text).toBe('The topic "Same" is already active. Continue with the work.');
    expect(started).toHaveLength(1);
  });

  test('a long title is cut and control characters are dropped', async () => {
    const { started, tool } = topics();
    await useTool(tool, { title: `\u001b\u202e${'t'.repeat(100)}` });
    expect(started[0]?.[0]).toBe(`${'t'.repeat(79)}…`);
  });

  test('a long summary is cut, and one without words is none', async () => {
    const { started, tool } = topics();
    await useTool(tool, { title: 'One', summary: 's'.repeat(5_000) });
    await useTool(tool, { title: 'Two', summary: ' \u200b\n' });
    expect(started[0]?.[1]).toBe(`${'s'.repeat(999)}…`);
    expect(started[1]).toEqual(['Two', undefined]);
  });

  test('an empty title is refused', async () => {
    const { started, tool } = topics();
    await expect(useTool(tool, { title: ' \n ' })).rejects.toThrow(/title is empty/);
    expect(started).toEqual([]);
  });

  test('it comes first in its batch and asks nobody', () => {
    const { tool } = topics();
    expect(tool).toMatchObject({ first: true, effect: 'note' });
  });
});

describe('write_todos', () => {
  function list() {
    const set: (readonly Todo[])[] = [];
    return { set, tool: writeTodosTool({ setTodos: todos => void set.push(todos) }) };
  }

  test('replaces the list and reads it back to the model', async () => {
    const { set, tool } = list();
    const todos = [
      { description: 'Read it', status: 'completed' },
      { description: 'Fix\nit', status: 'in_progress' },
    ];
    const result = await useTool(tool, { todos });
    expect(result.text).toBe('The task list is now:\n1. [completed] Read it\n2. [in_progress] Fix it');
    expect(set).toEqual([[todos[0], { description: 'Fix it', status: 'in_progress' }]]);
    expect(result.display).toEqual({ summary: '1 of 2 done', detail: { kind: 'todos', todos: set[0] } });
  });

  test('two tasks in progress are refused and the list stays', async () => {
    const { set, tool } = list();
    const todos = ['a', 'b'].map(description => ({ description, status: 'in_progress' }));
    await expect(useTool(tool, { todos })).rejects.toThrow(/at most one can be/);
    expect(set).toEqual([]);
  });

  test('an empty list clears it', async () => {
    const { set, tool } = list();
    expect((await useTool(tool, { todos: [] })).text).toBe('The task list is empty now.');
    expect(set).toEqual([[]]);
  });
});
