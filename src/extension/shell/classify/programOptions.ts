/*
 * Options of programs with subcommands, and of some that rules often name. The only place that says which option takes
 * a value, and thus where the subcommand begins.
 */

type OptionKind = 'flag' | 'value' | 'optional';

interface ProgramRow {
  /** A program, or a program with its subcommand. Commas separate programs with the same options. */
  readonly of: string;
  /**
   * Options valid only before the next subcommand, in usage notation: `-n,--namespace=` takes a value, `--color?` may
   * have an attached one. The last of several names is canonical.
   */
  readonly before?: string;
  /** Options valid anywhere after it. */
  readonly anywhere?: string;
  /** Aliases of subcommands. */
  readonly same?: string;
}

const helm =
  '-n,--namespace= --kube-context= --kubeconfig= --kube-apiserver= --kube-token= --kube-as-user= --kube-as-group= --kube-ca-file= --kube-insecure-skip-tls-verify --kube-tls-server-name= --registry-config= --repository-cache= --repository-config= --burst-limit= --qps= --debug';
const kubectl =
  '-n,--namespace= --context= --cluster= --user= --kubeconfig= -s,--server= --token= --as= --as-group= --as-uid= --cache-dir= --certificate-authority= --client-certificate= --client-key= --insecure-skip-tls-verify? --tls-server-name= --request-timeout= --username= --password= --profile= --profile-output= -v,--v= --vmodule= --match-server-version? --warnings-as-errors? --disable-compression? -f,--filename= -A,--all-namespaces -l,--selector= -o,--output= --force? --all? --grace-period= --now? --wait? -c,--container= -i,--stdin -t,--tty';
const npm =
  '-C,--prefix= -w,--workspace= --workspaces -ws --registry= --userconfig= --globalconfig= --cache= --loglevel= --tag= --otp= --access= --scope= --script-shell= --omit= --include= -g,--global -f,--force -s,--silent -q,--quiet -d --verbose --json -y,--yes --dry-run --offline --prefer-offline --ignore-scripts --no-audit --no-fund --no-save -D,--save-dev -S,--save -E,--save-exact -O,--save-optional --if-present --legacy-peer-deps';
const npmNames =
  'i=install in=install ins=install inst=install insta=install instal=install isnt=install isnta=install isntal=install isntall=install add=install un=uninstall unlink=uninstall remove=uninstall rm=uninstall r=uninstall t=test tst=test run-script=run rum=run urn=run x=exec up=update upgrade=update udpate=update clean-install=ci ic=ci install-clean=ci c=config ln=link dist-tags=dist-tag add-user=adduser login=adduser';

const table: readonly ProgramRow[] = [
  {
    of: 'git',
    before:
      '-C= -c= --git-dir= --work-tree= --namespace= --config-env= --exec-path? --super-prefix= --attr-source= --list-cmds= -p,--paginate -P,--no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --bare --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs',
    same: 'stage=add annotate=blame',
  },
  {
    of: 'git push',
    anywhere:
      '-f,--force --force-with-lease? --force-if-includes -d,--delete -u,--set-upstream -n,--dry-run -q,--quiet -v,--verbose --all --branches --mirror --tags --follow-tags --prune --no-verify -o,--push-option= --receive-pack,--exec= --repo= --signed? --recurse-submodules= --thin --no-thin --atomic --porcelain --progress -4,--ipv4 -6,--ipv6',
  },
  {
    of: 'git commit',
    anywhere:
      '-a,--all -m,--message= -F,--file= -C,--reuse-message= -c,--reedit-message= -t,--template= -n,--no-verify -p,--patch -s,--signoff -v,--verbose -q,--quiet -e,--edit -S,--gpg-sign? -u? -i,--include -o,--only --amend --no-edit --allow-empty --author= --date= --fixup= --squash= --cleanup= --trailer= --dry-run',
  },
  {
    of: 'git clean',
    anywhere: '-f,--force -d -x -X -n,--dry-run -q,--quiet -i,--interactive -e,--exclude=',
  },
  {
    of: 'git branch',
    anywhere:
      '-d,--delete -D -m,--move -M -c,--copy -C -f,--force -a,--all -r,--remotes -v,--verbose -q,--quiet -u,--set-upstream-to= --unset-upstream -l,--list -t,--track?',
  },
  {
    of: 'git reset',
    anywhere: '--hard --soft --mixed --merge --keep -q,--quiet -p,--patch -N,--intent-to-add',
  },
  {
    of: 'git checkout,git switch',
    anywhere:
      '-f,--force -b= -B= -c,--create= -C,--force-create= --orphan= -q,--quiet -d,--detach -m,--merge -p,--patch -t,--track?',
  },
  {
    of: 'git tag',
    anywhere:
      '-d,--delete -f,--force -a,--annotate -s,--sign -u,--local-user= -m,--message= -F,--file= -l,--list -v,--verify',
  },
  {
    of: 'git rebase',
    anywhere:
      '-i,--interactive -x,--exec= --onto= -s,--strategy= -X,--strategy-option= -r,--rebase-merges? --root --abort --continue --skip -q,--quiet --no-verify',
  },
  {
    of: 'git merge,git pull,git cherry-pick,git revert',
    anywhere:
      '-m= -F,--file= -s,--strategy= -X,--strategy-option= -n -q,--quiet -v,--verbose -e,--edit --no-verify --abort --continue -f,--force -r,--rebase?',
  },
  {
    of: 'git stash,git stash push',
    anywhere: '-m,--message= -p,--patch -u,--include-untracked -a,--all -k,--keep-index -q,--quiet',
  },
  { of: 'git remote', same: 'rm=remove' },
  {
    of: 'remove-item',
    anywhere:
      '-recurse -force -path= -literalpath= -include= -exclude= -filter= -stream= -confirm? -whatif -verbose',
  },
  { of: 'kubectl,oc', anywhere: kubectl },
  {
    of: 'docker,podman',
    before:
      '--config= -c,--context= -D,--debug -H,--host= -l,--log-level= --tls --tlscacert= --tlscert= --tlskey= --tlsverify --url= --connection= --root= --runroot= --storage-driver= --storage-opt=',
    same: 'remove=rm',
  },
  { of: 'docker rm,docker rmi,podman rm,podman rmi', anywhere: '-f,--force -v,--volumes -l,--link' },
  {
    of: 'docker compose,podman compose',
    before:
      '-f,--file= -p,--project-name= --profile= --project-directory= --env-file= --ansi= --parallel= --progress= --compatibility --dry-run --all-resources --context= --verbose',
  },
  {
    of: 'terraform,tofu,terragrunt',
    before: '-chdir=',
    anywhere: '-auto-approve? -destroy -var= -var-file= -target=',
  },
  { of: 'npm', anywhere: npm, same: npmNames },
  {
    of: 'pnpm',
    anywhere: `${npm} --dir= -F,--filter= --filter-prod= -r,--recursive -P,--prod --reporter= --store-dir=`,
    same: 'i=install rm=remove un=remove uninstall=remove up=update upgrade=update t=test tst=test run-script=run c=config',
  },
  {
    of: 'yarn',
    anywhere:
      '--cwd= --registry= --cache-folder= --modules-folder= --use-yarnrc= --mutex= --network-timeout= -s,--silent --verbose --json --offline --no-progress --otp= --tag= --access= -D,--dev -W',
  },
  {
    of: 'bun',
    before: '--cwd= -c,--config= --env-file= -b,--bun --silent',
    same: 'i=install a=add rm=remove x=exec',
  },
  {
    of: 'aws',
    anywhere:
      '--profile= --region= --output= --endpoint-url= --query= --color= --ca-bundle= --cli-read-timeout= --cli-connect-timeout= --cli-binary-format= --no-verify-ssl --no-paginate --no-sign-request --no-cli-pager --cli-auto-prompt --no-cli-auto-prompt --debug --recursive --dryrun',
  },
  {
    of: 'gcloud,gsutil,bq',
    anywhere:
      '--project= --account= --configuration= --format= --verbosity= --impersonate-service-account= --billing-project= --flags-file= --flatten= --trace-token= --access-token-file= --zone= --region= --user-output-enabled? -q,--quiet --log-http',
  },
  {
    of: 'az',
    anywhere:
      '--subscription= -o,--output= --query= -g,--resource-group= -n,--name= -y,--yes --verbose --debug --only-show-errors',
  },
  {
    of: 'cargo',
    before: '--color= --config= -Z= -C= --explain= --offline --locked --frozen -v,--verbose -q,--quiet',
    same: 'b=build c=check d=doc r=run t=test rm=remove',
  },
  {
    of: 'helm',
    anywhere: helm,
    same: 'delete=uninstall del=uninstall un=uninstall ls=list dep=dependency inspect=show',
  },
  { of: 'gh,glab', anywhere: '-R,--repo= --hostname=' },
  { of: 'go', before: '-C=' },
  {
    of: 'make',
    anywhere:
      '-C,--directory= -f,--file,--makefile= -I,--include-dir= -j,--jobs? -l,--load-average? -o,--old-file,--assume-old= -W,--what-if,--new-file,--assume-new= -E,--eval= -O,--output-sync? -B,--always-make -k,--keep-going -n,--just-print,--recon,--dry-run -i,--ignore-errors -s,--quiet,--silent -e,--environment-overrides -q,--question -r,--no-builtin-rules -R,--no-builtin-variables -w,--print-directory -t,--touch -d -p',
  },
  {
    of: 'systemctl,loginctl',
    anywhere:
      '-H,--host= -M,--machine= -t,--type= --state= -p,--property= -P= --root= --image= -n,--lines= -o,--output= -s,--signal= --kill-whom= --kill-who= --job-mode= --preset-mode= --timestamp= --check-inhibitors= --user --system --global -a,--all -l,--full -q,--quiet -f,--force --no-block --no-pager --no-ask-password --no-legend --runtime --now -r,--recursive -T,--show-transaction --wait --no-wall --plain --failed',
  },
  {
    of: 'pip',
    before:
      '--python= --log= --proxy= --retries= --timeout= --exists-action= --trusted-host= --cert= --client-cert= --cache-dir= --use-feature= --use-deprecated= --keyring-provider= --isolated --require-virtualenv --require-venv --no-cache-dir --no-input --no-color --disable-pip-version-check --debug -q,--quiet -v,--verbose',
  },
  {
    of: 'pip install',
    anywhere:
      '-r,--requirement= -c,--constraint= -e,--editable= -t,--target= -i,--index-url= --extra-index-url= -f,--find-links= -U,--upgrade --user --pre -y,--yes',
  },
  {
    of: 'uv',
    before:
      '--directory= --project= --config-file= --cache-dir= --color= --python= -p= -q,--quiet -v,--verbose --offline',
  },
  {
    of: 'poetry',
    before: '-C,--directory= -P,--project= -n,--no-interaction -q,--quiet -v --no-ansi --ansi --no-plugins',
  },
  {
    of: 'apt,apt-get',
    anywhere:
      '-o,--option= -c,--config-file= -t,--target-release= -y,--assume-yes,--yes -q,--quiet -f,--fix-broken --purge',
  },
  { of: 'brew', same: 'rm=uninstall remove=uninstall' },
  {
    of: 'rm',
    anywhere:
      '-r,-R,--recursive -f,--force -v,--verbose -i -I -d,--dir --interactive? --one-file-system --no-preserve-root --preserve-root?',
  },
  {
    of: 'cp',
    anywhere:
      '-r,-R,--recursive -f,--force -a,--archive -i,--interactive -v,--verbose -t,--target-directory= -n,--no-clobber -p -u,--update?',
  },
  {
    of: 'mv',
    anywhere: '-f,--force -i,--interactive -v,--verbose -t,--target-directory= -n,--no-clobber -u,--update?',
  },
  {
    of: 'chmod,chown,chgrp',
    anywhere: '-R,--recursive -v,--verbose -f,--silent,--quiet -c,--changes --reference= --from=',
  },
  {
    of: 'shred',
    anywhere:
      '-u,--remove? -z,--zero -f,--force -n,--iterations= -s,--size= -v,--verbose -x,--exact --random-source=',
  },
  {
    of: 'curl',
    anywhere:
      '-X,--request= -d,--data= --data-binary= --data-raw= -F,--form= -T,--upload-file= -o,--output= -O,--remote-name -H,--header= -u,--user= -A,--user-agent= -b,--cookie= -c,--cookie-jar= -e,--referer= -K,--config= -x,--proxy= -m,--max-time= -w,--write-out= -E,--cert= -k,--insecure -L,--location -s,--silent -S,--show-error -f,--fail -i,--include -I,--head -v,--verbose -g,--globoff -N,--no-buffer -4,--ipv4 -6,--ipv6',
  },
  {
    of: 'ssh',
    before: '-p= -i= -l= -o= -F= -J= -L= -R= -D= -E= -c= -e= -m= -b= -W= -w= -S= -Q= -O= -I= -B=',
  },
];

export interface ProgramOption {
  /** Its canonical name. */
  readonly name: string;
  readonly kind: OptionKind;
}

export type ProgramOptions = ReadonlyMap<string, ProgramOption>;

interface OptionRow {
  readonly before: ProgramOptions;
  readonly anywhere: ProgramOptions;
  readonly same: ReadonlyMap<string, string>;
}

let rows: ReadonlyMap<string, OptionRow> | undefined;

function readTable(): ReadonlyMap<string, OptionRow> {
  return new Map(
    table.flatMap(({ of, before, anywhere, same }) => {
      const row: OptionRow = {
        before: readUsage(before),
        anywhere: readUsage(anywhere),
        same: new Map((same ?? '').split(' ').map(pair => pair.split('=') as [string, string])),
      };
      return of.split(',').map(path => [path, row] as const);
    }),
  );
}

function readUsage(usage = ''): ProgramOptions {
  const kinds: Readonly<Record<string, OptionKind>> = { '=': 'value', '?': 'optional' };
  return new Map(
    usage
      .split(' ')
      .filter(Boolean)
      .flatMap(each => {
        const kind = kinds[each.at(-1) ?? ''] ?? 'flag';
        const names = (kind === 'flag' ? each : each.slice(0, -1)).split(',');
        return names.map(name => [name, { name: names.at(-1)!, kind }] as const);
      }),
  );
}

/** Returns `undefined` if the program or subcommand has no row. */
export function findOptionRow(path: string): OptionRow | undefined {
  // Most prompts run no command, so the table is not read at each start.
  rows ??= readTable();
  return rows.get(path);
}

/** Long options, which may be abbreviated. */
const longOption = /^--\w/;

/**
 * Finds an option by its name or a unique prefix.
 * @param shortened the names that may be abbreviated
 */
export function findOption(
  options: ProgramOptions,
  name: string,
  shortened = longOption,
): ProgramOption | undefined {
  const exact = options.get(name);
  if (exact || !shortened.test(name)) return exact;
  const found = new Set([...options].filter(([known]) => known.startsWith(name)).map(([, option]) => option));
  return found.size === 1 ? [...found][0] : undefined;
}

/** Returns the kind of an option before the subcommand; `undefined` if unknown. */
export function globalOptionKind(program: string, name: string): OptionKind | undefined {
  const row = findOptionRow(program);
  return row && (findOption(row.before, name) ?? findOption(row.anywhere, name))?.kind;
}

/** Programs that write long options with one dash, so that the following letters are no cluster. */
const withDashedWords = new Set(
  'terraform tofu terragrunt packer consul vault nomad go find java javac gcc g++ cc clang clang++ ld ffmpeg ffprobe convert magick openssl mvn adb xcodebuild xcrun 7z 7za dotnet msbuild exiftool mpv qemu-system-x86_64'.split(
    ' ',
  ),
);

export function hasSingleDashLongOptions(program: string): boolean {
  return withDashedWords.has(program) || isCmdlet(program);
}

export function isCmdlet(program: string): boolean {
  return cmdlet.test(program);
}

const cmdlet =
  /^(?:add|clear|copy|get|import|invoke|move|new|out|remove|rename|set|start|stop|write)-[a-z]+$/;

/** Programs whose operands are order-independent. */
export function hasUnorderedOperands(program: string): boolean {
  return program === 'make' || program === 'just' || program === 'rake';
}

const gitCommands = new Set(
  'add am annotate apply archimport archive backfill bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph commit-tree config count-objects credential credential-cache credential-store cvsexportcommit cvsimport cvsserver daemon describe diagnose diff diff-files diff-index diff-pairs diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch filter-repo fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsck-objects fsmonitor--daemon gc get-tar-commit-id grep gui hash-object help history hook http-backend http-fetch http-push imap-send index-pack init init-db instaweb interpret-trailers last-modified lfs log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-octopus merge-one-file merge-ours merge-recursive merge-resolve merge-subtree merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes p4 pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push quiltimport range-diff read-tree rebase receive-pack reflog refs remote repack replace replay repo request-pull rerere reset restore rev-list rev-parse revert rm scalar send-email send-pack sh-i18n shell shortlog show show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule subtree svn switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version web--browse whatchanged worktree write-tree absorb annex crypt flow gone town'.split(
    ' ',
  ),
);

/** Any other word may be a configured alias. */
export function isGitCommand(name: string): boolean {
  return gitCommands.has(name);
}
