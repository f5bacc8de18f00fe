/** Menu and MenuItem: the template as given, so that a test can find an item and click it. Nothing is drawn. */
import { represented } from '../chromium/represented.ts';

type Options = Electron.MenuItemConstructorOptions;

export class MenuItem {
  readonly id: string | undefined;
  readonly type: string;
  readonly role: string | undefined;
  readonly accelerator: string | undefined;
  readonly registerAccelerator: boolean;
  readonly submenu: Menu | undefined;
  label: string;
  enabled: boolean;
  visible: boolean;
  checked: boolean;
  readonly #click: Options['click'];

  constructor(options: Options) {
    this.id = options.id;
    this.role = options.role;
    this.label = options.label ?? options.role ?? '';
    this.accelerator = options.accelerator;
    this.registerAccelerator = options.registerAccelerator ?? true;
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
    this.submenu = Array.isArray(options.submenu) ? Menu.buildFromTemplate(options.submenu) : undefined;
    this.type = options.type ?? (this.submenu ? 'submenu' : 'normal');
    this.#click = options.click;
    if (this.type === 'normal' && !this.label) throw new Error('a menu item needs a label or a role');
  }

  /** A role is Electron's own doing, which the stand-in cannot do. */
  click(): void {
    if (!this.#click)
      throw new Error(`the stand-in cannot click the role ${this.role ?? 'of a menu item without one'}`);
    this.#click(this as unknown as Electron.MenuItem, undefined, {});
  }
}

let applicationMenu: Menu | null = null;

export class Menu {
  readonly items: MenuItem[] = [];

  append(item: MenuItem): void {
    this.items.push(item);
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const match = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (match) return match;
    }
    return null;
  }

  static buildFromTemplate(template: readonly Options[]): Menu {
    const menu = new Menu();
    for (const options of template) menu.append(new MenuItem(options));
    return represented<Menu>('Menu', menu);
  }

  static setApplicationMenu(menu: Menu | null): void {
    applicationMenu = menu;
  }

  static getApplicationMenu(): Menu | null {
    return applicationMenu;
  }
}
