import type { Page } from 'playwright-core';

/** Somebody at a browser. */
export class Visitor {
  constructor(
    readonly page: Page,
    private readonly url: string,
  ) {}

  go(path: string): Promise<unknown> {
    return this.page.goto(this.url + path);
  }

  /** Types into inputs, by their ids. */
  async fill(typed: Readonly<Record<string, string>>): Promise<void> {
    for (const [id, value] of Object.entries(typed)) await this.page.locator(`#${id}`).fill(value);
  }

  /** Presses a button of the page, and waits for the page that follows. */
  async press(name: string | RegExp, form = 'main'): Promise<void> {
    const button = this.page.locator(form).getByRole('button', { name }).first();
    await button.waitFor();
    // Of the page with the button, which may still be on its way: the next one is that which follows
    await this.page.waitForLoadState('domcontentloaded');
    const next = this.page.waitForEvent('domcontentloaded');
    await button.click();
    await next;
  }

  async opens(summary: string): Promise<void> {
    await this.page.locator('summary', { hasText: summary }).first().click();
  }

  /** Waits until the page says so. */
  says(text: string | RegExp): Promise<void> {
    return this.page.locator('body').getByText(text).first().waitFor();
  }
}

/** The form of a page that does this. */
export const form = (action: string): string => `form:has(input[name="action"][value="${action}"])`;

/** A phone, in Indonesian. */
export const PHONE = { locale: 'id-ID', viewport: { width: 390, height: 844 } };
