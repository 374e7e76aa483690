export {
  startSandbox as startLlmSandbox,
  type ReceivedRequest as LlmRequest,
  type Sandbox as LlmSandbox,
} from '@platform/sandbox-llm';
