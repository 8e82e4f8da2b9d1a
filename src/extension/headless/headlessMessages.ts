/*
 * Texts for programs without a window: they name an option, variable, file or slash command where the original names a
 * palette command, settings page or button. Headless runs and ACP clients share them. A test checks that all such
 * messages of the core are covered.
 */

export const headlessMessages: Readonly<Record<string, string>> = {
  'Even without the earlier conversation, the next request would have about {0} tokens, and the model\'s limit is {1}. Choose a model with a larger context with "Folio: Select Model", or ask for less in a new session.':
    "Even without the earlier conversation, the next request would have about {0} tokens, and the model's limit is {1}. Choose a model with a larger context with --model or /model, or ask for less in a new session.",
  'Choose another model with "Folio: Select Model".': 'Choose another model with --model or /model.',
  'Internal error in Folio ({0}). Retry, or see the log with "Folio: Open Log".':
    'Internal error in Folio ({0}). Retry, or report it with /bug.',
  'No Anthropic API key is set. Run "Folio: Set API Key", or set ANTHROPIC_API_KEY.':
    'No Anthropic API key is set. Set the variable ANTHROPIC_API_KEY, or store a key with --sign-in.',
  'No Gemini API key is set. Run "Folio: Set API Key", or set GEMINI_API_KEY.':
    'No Gemini API key is set. Set the variable GEMINI_API_KEY, or store a key with --sign-in.',
  'No OpenAI API key is set. Run "Folio: Set API Key", or set OPENAI_API_KEY.':
    'No OpenAI API key is set. Set the variable OPENAI_API_KEY, or store a key with --sign-in.',
  'No OpenAI API key is set. Run "Folio: Set API Key", set OPENAI_API_KEY, or name a server that needs none with the setting folio.openai.baseUrl.':
    'No OpenAI API key is set. Set the variable OPENAI_API_KEY, or name a server that needs none with --base-url.',
  'Run "aws sso login" or "aws configure" in a terminal, or set a Bedrock API key with "Folio: Set API Key", then retry.':
    'Run "aws sso login" or "aws configure" in a terminal, or set a Bedrock API key in AWS_BEARER_TOKEN_BEDROCK, then retry.',
  'The API key of {0} contains invalid characters. Set it again with "Folio: Set API Key".':
    'The API key of {0} contains invalid characters. Set its variable again.',
  'The context was not compressed, because of an internal error in Folio ({0}). See the log with "Folio: Open Log".':
    'The context was not compressed, because of an internal error in Folio ({0}). Report it with /bug.',
  'The context was not compressed: the model returned an empty or invalid summary. The conversation is unchanged. Compress again with "Folio: Compress Context".':
    'The context was not compressed: the model returned an empty or invalid summary. The conversation is unchanged. Compress again with /compress.',
  'The context was not compressed: the part to summarise is longer than the model can read. Go back to an earlier prompt, or choose a model with a larger context with "Folio: Select Model".':
    'The context was not compressed: the part to summarise is longer than the model can read. Go back to an earlier prompt, or choose a model with a larger context with --model or /model.',
  'The conversation is longer than the model can read. Shorten it with "Folio: Compress Context", or start a new session with "Folio: New Session".':
    'The conversation is longer than the model can read. Shorten it with /compress, or start a new session.',
  'The conversation is longer than the model can read. Shorten it with "Folio: Compress Context", or start a new session with "Folio: New Session"; if the conversation is short, correct the model\'s limit with the setting {0}.':
    "The conversation is longer than the model can read. Shorten it with /compress, or start a new session; if the conversation is short, correct the model's limit with {0} in a settings file.",
  'The extension {0} needs {1}. Use “Folio: Set Up Extension”, or name it in the .env of the extension.':
    'The extension {0} needs {1}. Name it in the .env of the extension.',
  'The model "{0}" is offered only through OpenAI\'s Responses. Choose "OpenAI" with "Folio: Connect a Model", or choose another model.':
    'The model "{0}" is offered only through OpenAI\'s Responses. Choose --provider openai-responses, or choose another model.',
  'The next request would have about {0} tokens, and the model\'s limit is {1}. Compress the context with "Folio: Compress Context", then retry.':
    "The next request would have about {0} tokens, and the model's limit is {1}. Compress the context with /compress, then retry.",
  'The provider lists no model for "auto". Set folio.auto.strongModel, or choose a model with "Folio: Select Model".':
    'The provider lists no model for "auto". Choose one with --model.',
  'not available, see “Folio: Show Servers, Commands, Agents and Skills”':
    'not available; the reason is printed at the start of a run',
  '{0} cannot process the request ({1}). Choose another model with "Folio: Select Model", or start a new session with "Folio: New Session".':
    '{0} cannot process the request ({1}). Choose another model with --model or /model, or start a new session.',
  '{0} does not let this API key use the model "{1}". Choose another model with "Folio: Select Model".':
    '{0} does not let this API key use the model "{1}". Choose another model with --model or /model.',
  '{0} needs a region for "{1}". Choose an id with a region, such as one that begins with "global." or "eu.", with "Folio: Select Model".':
    '{0} needs a region for "{1}". Choose an id with a region, such as one that begins with "global." or "eu.", with --model or /model.',
  '{0} has no model "{1}". Choose another model with "Folio: Select Model".':
    '{0} has no model "{1}". Choose another model with --model or /model.',
  '{0} rejected the API key, which {1}. Set the right one with "Folio: Set API Key", or choose its provider with "Folio: Connect a Model".':
    '{0} rejected the API key, which {1}. Set the right one in its variable, or choose its provider with --provider.',
  '{0} rejected the API key. Set a valid one with "Folio: Set API Key".':
    '{0} rejected the API key. Set a valid one in the variable of its provider.',
  '{0} reports that your quota is used up ({1}). Choose another model with "Folio: Select Model", or check your account.':
    '{0} reports that your quota is used up ({1}). Choose another model with --model or /model, or check your account.',
  '{0} requires an API key. Set one with "Folio: Set API Key", or set {1}.':
    '{0} requires an API key. Set the variable {1}.',
  "A proxy between Folio and {0} requires you to log in. Check VS Code's setting http.proxy, or the variable HTTPS_PROXY, then retry.":
    'A proxy between Folio and {0} requires you to log in. Check the variable HTTPS_PROXY or HTTP_PROXY, then retry.',
  'Cannot reach the proxy for {1} at {0} (ECONNREFUSED). Start it or change its address (setting http.proxy of VS Code or variable HTTPS_PROXY), then retry.':
    'Cannot reach the proxy for {1} at {0} (ECONNREFUSED). Start it or change its address in the variable HTTPS_PROXY, then retry.',
  'the network, and the proxy where you use one (setting http.proxy of VS Code or variable HTTPS_PROXY)':
    'the network, and the proxy where you use one (variable HTTPS_PROXY)',
  'Your proxy, from the setting "http.proxy" or from HTTP_PROXY and HTTPS_PROXY, must be an http or https address. Commands in the sandbox cannot use any other.':
    'Your proxy, from HTTP_PROXY and HTTPS_PROXY, must be an http or https address. Commands in the sandbox cannot use any other.',
  'Only Gemini models read web pages automatically. Choose them with the setting folio.provider.':
    'Only Gemini models read web pages automatically. Choose them with --provider gemini.',
  'Models of this provider cannot search the web. Set folio.webSearchCommand, or change folio.provider.':
    'Models of this provider cannot search the web. Set folio.webSearchCommand in your settings.json, or choose another provider with --provider.',
  "VS Code's models need a VS Code window. Choose another provider with the setting folio.provider.":
    "VS Code's models need a VS Code window. Choose another provider with --provider.",
  '"auto" uses the first model that the provider lists. Choose others with the settings folio.auto.strongModel and folio.auto.fastModel.':
    '"auto" uses the first model that the provider lists. Choose others as folio.auto.strongModel and folio.auto.fastModel in your settings.json.',
  'the setting {0}': '{0} in your settings.json',
  'The setting folio.webSearchCommand has no {0}.':
    'In your settings.json folio.webSearchCommand has no {0}.',
  'The extension {0} is still disabled by the setting folio.disabled. Remove it from that setting in ~/.gemini/settings.json.':
    'The extension {0} is still disabled by folio.disabled. Remove it from ~/.gemini/settings.json.',
  'Set "folio.sandbox" to "on". Until then, commands and tools that do more than read ask each time, in every mode.':
    'Run with --sandbox on. Until then, commands and tools that do more than read ask each time, in every mode.',
  'The settings require a sandbox for commands, but "folio.sandbox" is not "on".':
    'The settings require a sandbox for commands. Run with --sandbox on.',
  'The sandbox of macOS does not protect this computer: a test command {0} something that is blocked. Set "folio.sandbox" to "ask".':
    'The sandbox of macOS does not protect this computer: a test command {0} something that is blocked. Run without --sandbox on.',
  'The sandbox of macOS does not work here: a command in it could not write to its own temporary folder. Set "folio.sandbox" to "ask".':
    'The sandbox of macOS does not work here: a command in it could not write to its own temporary folder. Run without --sandbox on.',
  'Folio has no command sandbox on Windows. Open the folder in WSL, which has one, or set "folio.sandbox" to "ask".':
    'Folio has no command sandbox on Windows. Open the folder in WSL, which has one, or run without --sandbox on.',
  'The setting folio.agents.external no longer has an agent {0}. Add it with "Folio: Add Agent…", or start another session.':
    'folio.agents.external no longer has an agent {0}. Add it to ~/.gemini/settings.json, give --agent-command, or start another session.',
  '{0} is disabled in the settings.': '{0} is disabled in a settings file.',
};
