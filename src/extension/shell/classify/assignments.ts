import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import {
  type Assignment,
  dangerousFinding,
  type Finding,
  readOnlyFinding,
  unclearFinding,
} from './finding.ts';

/** Variables that decide which program is found, loaded, configured or started. */
const decisive = new RegExp(
  `^(?:${[
    'PATH|HOME|IFS|ENV|BASH_ENV|BASHOPTS|SHELLOPTS|PS[0-4]|PROMPT_COMMAND|CDPATH|FPATH|SHELL|INPUTRC|HIST\\w*|_',
    'BASH_\\w+|LD_\\w+|DYLD_\\w+|GCONV_PATH|LOCPATH|NLSPATH|HOSTALIASES|RES_OPTIONS|TMPDIR|TERMINFO\\w*|XDG_\\w+',
    'GIT_\\w+|SSH_\\w+|GPG_\\w+|\\w*PAGER|\\w*EDITOR|VISUAL|BROWSER|LESS\\w*|\\w*ASKPASS|SUDO_\\w+|DISPLAY',
    'NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|NODE_TLS_\\w+|NPM_\\w+|YARN_\\w+|PNPM_\\w+|BUN_\\w+|DENO_\\w+',
    'PYTHON(?!UNBUFFERED|DONTWRITEBYTECODE)\\w*|PIP_\\w+|PERL\\w*|RUBY\\w*|GEM_\\w+|BUNDLE_\\w+|LUA_\\w+|PHP\\w*',
    'JAVA_\\w+|_JAVA_\\w+|JDK_\\w+|MAVEN_\\w+|GRADLE_\\w+|CLASSPATH|GO(?!OS$|ARCH$)\\w+|CGO_\\w+|RUSTC?\\w*(?<!_BACKTRACE|_LOG)|CARGO_\\w+',
    'CC|CXX|CPP|LD|AR|AS|FC|CFLAGS|CXXFLAGS|LDFLAGS|MAKE\\w*|CMAKE_\\w+|RIPGREP_CONFIG_PATH|GREP_OPTIONS|TAR_OPTIONS',
    'RSYNC_\\w+|CURL_\\w+|WGETRC|DOCKER_\\w+|KUBE\\w+|AWS_\\w+|GOOGLE_\\w+|AZURE_\\w+|\\w+_PROXY|OPENSSL_\\w+|SSL_\\w+',
  ].join('|')})$`,
  'i',
);

const harmless =
  /^(?:NODE_ENV|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLORTERM|LANG|LANGUAGE|LC_\w+|TZ|COLUMNS|LINES|VERBOSE|DEBUG|PORT|GOOS|GOARCH|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|RUST_BACKTRACE|RUST_LOG)$/;

/** Returns `undefined` if the assignments before a command do not affect its classification. */
export function classifyAssignments(assignments: readonly Assignment[]): Finding | undefined {
  const worst = assignments.find(({ name }) => isDecisive(name));
  if (worst) return dangerousFinding(decisiveReason(worst.name));
  const other = assignments.find(({ name }) => !harmless.test(name));
  return other && unclearFinding(() => t('It runs with {0} set, which may change what it does.', other.name));
}

/** Classifies a variable of the shell itself, or of programs that it starts later. */
export function classifyVariable(name: string): Finding {
  if (isDecisive(name)) return dangerousFinding(decisiveReason(name));
  if (harmless.test(name) || /^[a-z][a-z0-9_]*$/.test(name) || name.length === 1) {
    return readOnlyFinding(() => t('It only sets a variable of the shell.'));
  }
  return unclearFinding(() => t('It sets {0}, which may change what other commands do.', name));
}

function isDecisive(name: string): boolean {
  return decisive.test(name) && !harmless.test(name);
}

function decisiveReason(name: string): LocalizedMessage {
  return () => t('{0} decides which programs run or what they load.', name);
}
