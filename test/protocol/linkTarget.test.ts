import { expect, test } from 'vitest';
import { findLinkTarget } from '../../src/protocol/words/linkTarget.ts';

test.for([
  ['https://docs.example/a?b=1#c', 'docs.example', 'https://docs.example/a?b=1#c'],
  ['HTTP://Docs.Example:8080', 'docs.example:8080', 'http://docs.example:8080/'],
  ['https://docs.example/‮gnp', 'docs.example', 'https://docs.example/%E2%80%AEgnp'],
] as const)('%s leads to %s and is no disguise', ([url, to, address]) => {
  expect(findLinkTarget(url)).toEqual({ to, address, isMail: false, isDisguised: false });
});

test.for([
  ['https://bank.example@evil.example/', 'evil.example'],
  ['https://bank.example:443@evil.example/', 'evil.example'],
  ['https://аpple.example/', 'xn--pple-43d.example'],
  ['https://login.xn--pple-43d.example/', 'login.xn--pple-43d.example'],
] as const)('%s is a disguise of %s', ([url, to]) => {
  expect(findLinkTarget(url)).toMatchObject({ to, isDisguised: true });
});

test('of a mail the address counts', () => {
  expect(findLinkTarget('mailto:eve@evil.example?subject=Hello')).toEqual({
    to: 'eve@evil.example',
    address: 'mailto:eve@evil.example?subject=Hello',
    isMail: true,
    isDisguised: false,
  });
});

test.for([
  'javascript:alert(1)',
  'file:///etc/passwd',
  'vscode://settings',
  'https:evil.example',
  'https:\\\\evil.example',
  'https://',
  'src/invoice.ts',
])('%s is no web or mail address', url => {
  expect(findLinkTarget(url)).toBeUndefined();
});
