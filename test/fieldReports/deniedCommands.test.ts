import { describe, expect, it, test } from 'vitest';
import { allTests } from '../support/eachTest.ts';
import { PolicyWorld } from '../support/policyWorld.ts';
import { fc } from '../support/properties.ts';
import type { WorldCase } from './report.ts';

const denied = [
  'git push',
  'git clean -fdx',
  'git branch -D',
  'git reset --hard',
  'kubectl delete',
  'terraform destroy',
  'npm publish',
  'npm i left-pad',
  'pnpm publish',
  'yarn publish',
  'docker rm',
  'docker compose down',
  'aws s3 rm',
  'gcloud projects delete',
  'az group delete',
  'cargo publish',
  'helm uninstall',
  'gh pr merge',
  'rm -rf',
  'chmod -R',
  'pip install',
  'twine upload',
  'go generate',
  'make deploy',
  'systemctl stop',
  'curl --upload-file',
  'kubectl --context prod get',
];
const asked = ['git tag', 'docker push'];

function rules(): string {
  return [
    ...denied.map(prefix => rule(`commandPrefix = ${JSON.stringify(prefix)}\ndecision = "deny"`)),
    ...asked.map(prefix => rule(`commandPrefix = ${JSON.stringify(prefix)}\ndecision = "ask_user"`)),
    rule('commandRegex = "git merge.*--no-verify"\ndecision = "deny"'),
    rule('commandRegex = "git rebase (--interactive|--root)"\ndecision = "deny"'),
    rule('commandRegex = "shred -uz"\ndecision = "deny"'),
    rule('commandRegex = "pnpm remove"\ndecision = "deny"'),
  ].join('\n');
}

function rule(body: string): string {
  return `[[rule]]\ntoolName = "run_shell_command"\npriority = 200\n${body}\n`;
}

/** The title is the command line; it is classified in the mode that allows all. */
type Case = WorldCase & { readonly kind: 'deny' | 'ask' | 'allow' };

const deny = (source: Case['source'], ...titles: readonly string[]): readonly Case[] =>
  titles.map(title => ({ title, source, kind: 'deny' }));
const ask = (source: Case['source'], ...titles: readonly string[]): readonly Case[] =>
  titles.map(title => ({ title, source, kind: 'ask' }));
const allow = (source: Case['source'], ...titles: readonly string[]): readonly Case[] =>
  titles.map(title => ({ title, source, kind: 'allow' }));

const cases: readonly Case[] = [
  // Options of the program itself stand before the sub-command.
  ...deny(
    'report',
    'git -C . push',
    'git -c a.b=c push',
    'git --no-pager push',
    'git --git-dir=.git push',
    'git --git-dir .git --work-tree . push origin main',
    'git -p -c a.b=c -C sub push --tags',
    'kubectl -n p delete pod x',
    'kubectl --context=prod --namespace p delete pod x',
    'terraform -chdir=x destroy',
    'npm --prefix a publish',
    'docker -H tcp://a:1 rm x',
    'docker compose -f a.yml down',
    'docker compose --project-name shop --profile all down -v',
    'aws --profile p s3 rm s3://a/b',
    'cargo +nightly publish',
    'helm -n x uninstall web',
    'gh -R a/b pr merge 3',
  ),
  ...deny(
    'trial',
    'git --literal-pathspecs --no-optional-locks push',
    'git --config-env=a.b=HOME push',
    'git --namespace x push',
    'git --unknown-option value push',
    'GIT -C . push',
    'kubectl --kubeconfig k.yaml -v 6 delete -f a.yaml',
    'kubectl -np delete pod x',
    'terraform -chdir=x apply -destroy',
    'terraform apply -auto-approve -destroy',
    'npm -w packages/a publish',
    'npm --workspace=a --registry https://r.example publish',
    'npm --loglevel silent --no-audit publish',
    'npm install left-pad',
    'npm add left-pad',
    'pnpm -C packages/a publish',
    'pnpm --filter shop -r publish',
    'yarn --cwd a publish',
    'yarn npm publish',
    'docker --context remote rm -f x',
    'docker --log-level=debug -D rm x',
    'docker container rm x',
    'docker-compose down',
    'docker-compose -f a.yml down',
    'aws --region eu-west-1 --output json s3 rm s3://a/b',
    'aws s3 --profile p rm s3://a/b',
    'gcloud --project p projects delete x',
    'gcloud beta projects delete x',
    'az --subscription s group delete -n g',
    'cargo --config net.offline=true publish',
    'cargo --color never -v publish',
    'helm --kube-context prod delete web',
    'gh pr --repo a/b merge 3',
    'go -C sub generate ./...',
    'make -C sub deploy',
    'make -j4 VERBOSE=1 build deploy',
    'gmake -f other.mk deploy',
    'systemctl --user stop app',
    'systemctl -H host --no-block stop app',
    'pip --quiet --proxy http://p install x',
    'kubectl get --context prod pods',
  ),
  // The same program by another name or path.
  ...deny(
    'report',
    '/usr/lib/git-core/git-push',
    'python3 -m pip install x',
    'pip3 install x',
    '/usr/bin/git push',
    'python -m twine upload dist/a.whl',
  ),
  ...deny(
    'trial',
    './node_modules/../../../usr/bin/git push',
    'git-push origin',
    'git.exe push',
    'pip3.12 install x',
    'python3.12 -I -m pip --quiet install x',
    'python3 -Wignore -um pip install x',
    'node /usr/lib/node_modules/npm/bin/npm-cli.js publish',
    'npx twine upload a',
    'npx --yes npm@latest publish',
    'python2 -m pip install x',
    'poetry run twine upload a',
    'pnpm exec npm publish',
    'git -c alias.p=push p origin',
    "git -c alias.p='push --force' p",
    "g'i't pu\\sh",
  ),
  // Options in another order and spelling.
  ...deny(
    'report',
    'rm -fr x',
    'rm -r -f x',
    'rm --recursive --force x',
    'rm x -rf',
    'rm -rvf x',
    'rm -Rf x',
    'rm -f x -r',
    'rm --force --recurs x',
  ),
  ...deny(
    'trial',
    'git clean -d -x -f',
    'git clean -xdf .',
    'git clean --force -dx',
    'git branch --delete --force old',
    'git -C . branch -df old',
    'git reset HEAD~1 --hard',
    'chmod -v -R 777 a',
    'chmod --recursive a+r a',
    'curl -sT a.zip https://example.org',
    'git merge main --no-verify',
    'git -C sub merge --no-verify main',
    'git rebase -i main',
    'git -c a.b=c rebase main -i',
    'shred -zu a',
    'shred -u -z a',
    'pnpm --filter a rm left-pad',
  ),
  ...ask('trial', 'git -C . tag v1', 'docker --context remote push a/b', 'docker image push a/b'),
  // Only known when it runs.
  ...ask(
    'trial',
    'git $SUB origin',
    'git "$@"',
    'kubectl $ARGS get pods',
    'rm $FLAGS build',
    'npm "${CMD:-publish}"',
    'git p origin',
    'ls | xargs git',
  ),
  // Near, and something else.
  ...allow(
    'report',
    'git commit -m "git push"',
    'git commit -m "fix push" -- push',
    'echo git push',
    'git stash push',
    'git log --grep push',
    'git -C push status',
  ),
  ...allow(
    'trial',
    'git -C "$DIR" status',
    'git commit -m "$MSG"',
    'git checkout "$BRANCH"',
    'kubectl -n delete get pods',
    'kubectl get delete',
    'kubectl --context dev get pods',
    'terraform -chdir=destroy plan',
    'npm --prefix publish test',
    'npm run publish:docs',
    'docker run --rm alpine',
    'docker compose -f down up',
    'docker compose rm x',
    'docker image rm x',
    'aws s3 cp rm s3://a',
    'cargo test publish',
    'helm -n uninstall list',
    'gh pr view --repo a/merge',
    'rm -f x',
    'rm -r x',
    'rm -i x',
    'rm -f -- -r',
    'pip list',
    'python3 -m venv install',
    'make -C deploy build',
    'make DEPLOY=deploy build',
    'systemctl status stop',
    'git clean -n',
    'git reset --soft HEAD~1',
    'git branch -d old',
    'find . -name rf -printf x',
    'git rebase main',
  ),
];

const world = allTests(() => PolicyWorld.make({ files: { 'home/.folio/policies/mine.toml': rules() } }));

describe('a rule that forbids or asks sees through options, names and orders', () => {
  it.each(cases)('$kind: $title', async ({ title, kind }) => {
    expect(await world.run(title, 'yolo')).toMatchObject({ kind });
  });
});

/** Plain forms that are denied, and options that the program itself takes before the sub-command. */
const programs: readonly (readonly [plain: string, ...options: readonly string[]])[] = [
  [
    'git push',
    '-C .',
    '-c a.b=c',
    '--git-dir=.git',
    '--git-dir .git',
    '--no-pager',
    '-P',
    '--bare',
    '--exec-path=/x',
  ],
  [
    'kubectl delete',
    '-n p',
    '--namespace=p',
    '--context c',
    '-s u',
    '--insecure-skip-tls-verify',
    '-v 3',
    '--as me',
  ],
  ['terraform destroy', '-chdir=x'],
  ['npm publish', '--prefix a', '-w a', '--registry=u', '--silent', '--loglevel error', '-s', '--otp 1'],
  ['pnpm publish', '-C a', '--dir a', '--filter a', '-F a', '-r', '--silent'],
  ['yarn publish', '--cwd a', '--silent', '--json'],
  ['docker rm', '-H u', '--host=u', '-c x', '--context x', '-D', '-l info', '--tlsverify'],
  [
    'docker compose down',
    '-f a.yml',
    '--file=a.yml',
    '-p n',
    '--env-file e',
    '--ansi never',
    '--compatibility',
  ],
  [
    'aws s3 rm',
    '--profile p',
    '--region r',
    '--endpoint-url u',
    '--debug',
    '--no-verify-ssl',
    '--output=json',
  ],
  ['gcloud projects delete', '--project p', '--account=a', '--quiet', '-q', '--verbosity debug'],
  ['az group delete', '--subscription s', '--output json', '-o table', '--verbose', '--query q'],
  ['cargo publish', '--config a=b', '--color never', '-v', '--offline', '-Z x', '-C d'],
  ['helm uninstall', '-n x', '--kube-context c', '--debug', '--kubeconfig=k'],
  ['gh pr merge', '-R a/b', '--repo a/b'],
  ['go generate', '-C d'],
  ['make deploy', '-C d', '-f m', '-j4', '-k', 'A=b', '--directory=d', '-s'],
  ['systemctl stop', '--user', '-H h', '--no-block', '-q', '-M m', '-t service'],
  ['pip install', '-q', '--proxy u', '--cache-dir d', '--isolated', '--python=p', '--log l'],
];

test('options of a program before its sub-command hide nothing from a rule', async () => {
  const spelled = fc.constantFrom(...programs).chain(([plain, ...options]) =>
    fc.array(fc.constantFrom(...options), { maxLength: 4 }).map(chosen => {
      const [program, ...rest] = plain.split(' ');
      const isCompose = rest[0] === 'compose';
      const head = isCompose ? `${program} compose` : program;
      return [head, ...chosen, ...rest.slice(isCompose ? 1 : 0), 'x'].join(' ');
    }),
  );
  await fc.assert(
    fc.asyncProperty(spelled, async command => {
      expect(await world.run(command, 'yolo'), command).toMatchObject({ kind: 'deny' });
    }),
  );
});

describe('a rule that allows covers what is written, and no more', () => {
  const allowing = async (prefixes: readonly string[]) => {
    const text = rule(`commandPrefix = ${JSON.stringify(prefixes)}\ndecision = "allow"`);
    return PolicyWorld.make({ files: { 'home/.folio/policies/mine.toml': text } });
  };
  const narrow: readonly (readonly [prefix: string, command: string])[] = [
    ['git push', 'git -C .. push'],
    ['git push', 'git -c core.sshCommand=x push'],
    ['git push', '/tmp/git push'],
    ['npm test', 'npm --prefix /tmp test'],
    ['npm test', 'npm t'],
    ['rm -rf', 'rm -fr x'],
    ['pip install', 'python3 -m pip install x'],
    ['docker compose down', 'docker-compose down'],
    ['twine upload', 'npx twine upload x'],
    ['make deploy', 'make build deploy'],
  ];
  it.each(narrow)('%s: %s still asks', async (prefix, command) => {
    const made = await allowing([prefix]);
    expect(await made.run(command)).toMatchObject({ kind: 'ask' });
    await made.dispose();
  });

  it('lets what is written run', async () => {
    const made = await allowing(['git push', 'npm test']);
    expect(await made.run('git push origin main')).toMatchObject({ kind: 'allow' });
    expect(await made.run('npm test')).toMatchObject({ kind: 'allow' });
    await made.dispose();
  });
});

describe('the example of the documentation', () => {
  const example = `
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["npm test", "npm run lint"]
decision = "allow"
priority = 100

[[rule]]
toolName = "run_shell_command"
commandRegex = "git push.*--force"
decision = "deny"
priority = 200
`;
  it.each([
    'git push --force',
    'git push -f',
    'git -C . push origin main -f',
    'git --no-pager push --force-with-lease',
    'git push origin +main',
    '/usr/lib/git-core/git-push -uf origin main',
    "bash -c 'git -c a.b=c push -f'",
  ])('denies %s', async command => {
    const made = await PolicyWorld.make({ files: { 'home/.folio/policies/mine.toml': example } });
    expect(await made.run(command, 'yolo')).toMatchObject({ kind: 'deny' });
    await made.dispose();
  });
  it.each(['git push', 'git push -u origin fix-force', 'git status', 'npm test', 'git commit -m "$M"'])(
    'lets %s run in the mode that allows all',
    async command => {
      const made = await PolicyWorld.make({ files: { 'home/.folio/policies/mine.toml': example } });
      expect(await made.run(command, 'yolo')).toMatchObject({ kind: 'allow' });
      await made.dispose();
    },
  );
});
