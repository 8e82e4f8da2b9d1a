import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PolicyWorld } from '../support/policyWorld.ts';
import type { WorldCase } from './report.ts';

const rules = `
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git push", "npm publish", "Remove-Item -Recurse"]
decision = "deny"
priority = 200
`;

/** The title is the command line; it is classified in the mode that allows all. */
type Case = WorldCase & { readonly kind: 'deny' | 'ask' | 'allow' };

function cases(kind: Case['kind'], source: Case['source'], ...titles: readonly string[]): readonly Case[] {
  return titles.map(title => ({ title, source, kind }));
}

const encoded = Buffer.from('git push origin', 'utf16le').toString('base64');

const all = [
  ...cases(
    'deny',
    'report',
    'git -C . push',
    'git.exe push',
    "& 'git' push",
    '& "C:\\Program Files\\Git\\cmd\\git.exe" -c a.b=c push',
    "iex 'git push'",
    'Invoke-Expression "git push origin"',
    "Invoke-Expression -Command 'git push'",
    "powershell -NoProfile -Command 'git push'",
    'pwsh -c "git push"',
    `powershell -EncodedCommand ${encoded}`,
    `pwsh -NoLogo -enc ${encoded}`,
    'Start-Process git push',
    "Start-Process git -ArgumentList 'push','origin' -Wait",
    "Start-Process -FilePath git.exe -ArgumentList 'push origin'",
    'cmd /c git push',
    'cmd.exe /d /c "git push"',
  ),
  ...cases(
    'deny',
    'trial',
    'GIT push',
    'Invoke-Command -ScriptBlock { git push }',
    "saps git 'push'",
    'npm --prefix a publish',
    'npm.cmd publish',
    'Remove-Item -Recurse x',
    'remove-item x -Force -r',
    'rm -Recurse x',
    'del x -rec',
    'ri -Path x -Recurse',
    'git status; git --no-pager push',
    'pwsh -c \'iex "git push"\'',
  ),
  ...cases(
    'ask',
    'report',
    '& $x push',
    '$x = "git"; & $x push',
    'iex $x',
    "'git push' | iex",
    'powershell -EncodedCommand $x',
    'powershell -Command $x',
    'Start-Process $x push',
    'Start-Process git -ArgumentList $x',
    'git $x',
    'cmd /c $x',
    '& (Get-Command git) push',
    'GIT PUSH',
  ),
  ...cases(
    'allow',
    'trial',
    'git status',
    'git commit -m "git push"',
    "iex 'git status'",
    "pwsh -c 'npm test'",
    'Start-Process notepad',
    'Start-Process npm test',
    'Remove-Item x',
    'Get-ChildItem -Recurse',
    'cmd /c dir',
    'npm test',
  ),
];

let world: PolicyWorld;
let free: PolicyWorld;
beforeAll(async () => {
  world = await PolicyWorld.make({
    shell: 'powershell',
    files: { 'home/.folio/policies/mine.toml': rules },
  });
  free = await PolicyWorld.make({ shell: 'powershell' });
});
afterAll(() => Promise.all([world, free].map(each => each.dispose())));

describe('a rule that forbids reaches what PowerShell starts', () => {
  it.each(all)('$kind: $title', async ({ title, kind }) => {
    expect(await world.run(title, 'yolo')).toMatchObject({ kind });
  });
});

describe('without a rule about commands', () => {
  it.each(all)('nothing changes: $title', async ({ title }) => {
    expect(await free.run(title, 'yolo')).toMatchObject({ kind: 'allow' });
  });
});
