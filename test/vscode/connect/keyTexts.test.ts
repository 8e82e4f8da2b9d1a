import { expect, test } from 'vitest';
import { detectKeyFormat } from '../../../src/extension/base/keyForms.ts';
import {
  completeAddress,
  validateAddress,
  validateProject,
} from '../../../src/extension/vscode/connect/keyTexts.ts';

const geminiKey = `AIza${'Sy'.repeat(17)}x`;
const openAiKey = `sk-proj-${'a1'.repeat(20)}`;

test('a key tells its owner by the way it begins, and other texts are nobody’s key', () => {
  expect(detectKeyFormat(` ${geminiKey}\n`)).toBe('gemini');
  expect(detectKeyFormat(openAiKey)).toBe('openai');
  for (const text of ['', 'AIza', 'sk-', 'AQ.Ab8RN6', 'my-own-key', 'sk-not a key at all']) {
    expect(detectKeyFormat(text), text).toBeUndefined();
  }
});

test('an address is completed to what servers answer at', () => {
  expect(completeAddress('http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080/v1');
  expect(completeAddress(' https://api.example.com/v1/ ')).toBe('https://api.example.com/v1');
  expect(completeAddress('https://a.example.com/openai/v1/chat/completions')).toBe(
    'https://a.example.com/openai/v1',
  );
  expect(completeAddress('http://127.0.0.1:8080/v1/models')).toBe('http://127.0.0.1:8080/v1');
});

test('what is no address or no project is said without quoting it', () => {
  for (const text of [geminiKey, openAiKey, 'localhost:8080', 'ftp://a/v1', 'http://me:hidden@a/v1', '']) {
    const fault = validateAddress(text);
    expect(fault, text).toMatch(/^[A-Z].*\.$/);
    expect(fault).not.toContain('hidden');
    expect(fault).not.toContain(openAiKey);
  }
  expect(validateAddress('http://localhost:8080/v1')).toBeUndefined();
  expect(validateProject(geminiKey)).toContain('does not use keys');
  expect(validateProject('my project')).toContain('id of the project');
  expect(validateProject('my-project-123')).toBeUndefined();
  expect(validateProject('example.com:my-project')).toBeUndefined();
});
