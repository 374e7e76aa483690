/** The parts of Meta's webhook that are read here; anything may be absent. */
export interface CloudWebhook {
  readonly entry?: readonly {
    readonly changes?: readonly { readonly field?: string; readonly value?: CloudValue }[];
  }[];
}

export interface CloudValue {
  readonly metadata?: { readonly phone_number_id?: string };
  readonly contacts?: readonly CloudContact[];
  readonly messages?: readonly CloudMessage[];
  readonly statuses?: readonly CloudStatus[];
}

export interface CloudContact {
  readonly profile?: { readonly name?: string };
  readonly wa_id?: string;
  readonly user_id?: string;
}

export interface CloudFile {
  readonly id?: string;
  readonly mime_type?: string;
  readonly caption?: string;
  readonly filename?: string;
}

export interface CloudCard {
  readonly name?: { readonly formatted_name?: string };
}

interface Titled {
  readonly title?: string;
}

export interface CloudMessage {
  readonly id: string;
  readonly from?: string;
  /** Business-scoped id of somebody who may hide the number. */
  readonly from_user_id?: string;
  readonly timestamp?: string;
  readonly type?: string;
  readonly context?: { readonly id?: string };
  readonly text?: { readonly body?: string };
  readonly image?: CloudFile;
  readonly video?: CloudFile;
  readonly audio?: CloudFile;
  readonly document?: CloudFile;
  readonly sticker?: CloudFile;
  readonly location?: { latitude?: number; longitude?: number; name?: string; address?: string };
  readonly contacts?: readonly CloudCard[];
  readonly reaction?: { readonly message_id?: string; readonly emoji?: string };
  readonly button?: { readonly text?: string };
  readonly interactive?: { readonly type?: string; readonly button_reply?: Titled; readonly list_reply?: Titled };
}

export interface CloudStatus {
  readonly id: string;
  readonly status?: string;
  readonly timestamp?: string;
  readonly recipient_id?: string;
  readonly recipient_user_id?: string;
  readonly biz_opaque_callback_data?: string;
  readonly errors?: readonly { readonly code?: number }[];
}
