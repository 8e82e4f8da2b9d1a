/* The style sheets in the order in which they cascade; the build joins them to one file beside the script. */

import './ui/codicon.css';
import './ui/base.css';
import './ui/controls.css';
import './ui/listPage.css';
import './transcript/transcript.css';
import './transcript/chapters.css';
import './transcript/answer/answer.css';
import './transcript/calls/calls.css';
import './approval/approval.css';
import './review/review.css';
import './rewind/rewind.css';
import './composer/composer.css';
import './composer/completion.css';
import './queue/queue.css';
import './agents/agents.css';
import './hooks/hooks.css';
import './consent/consent.css';
import './connect/connect.css';
import './models/models.css';
import './context/context.css';
import './compression/compression.css';
import './sessions/sessions.css';
import './permissions/permissions.css';
import './mcp/mcp.css';
import './inbox/inbox.css';
import './comparison/comparison.css';
