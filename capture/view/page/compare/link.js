// SPDX-License-Identifier: MIT
/*
 * Links the views of two traces. Each trace has an origin, a moment in ticks, and both origins are at the same place of the
 * picture. If the user moves or zooms one view, the other view moves, too. Times are compared in seconds if both traces have
 * a rate, otherwise in ticks. Knows no elements.
 */

/** Two views that differ by less than this part of their width are equal. */
const ROUNDING = 1e-9;

/** @typedef {import('../view_state.js').ViewState} ViewState */

export class ViewLink {
    /** @param {ViewState[]} views two views with traces */
    constructor(views) {
        this.views = views;
        /** The moments that are above each other, in ticks. */
        this.origins = views.map((view) => view.trace.state().from);
        /** True: both views move together. */
        this.locked = true;
        /** Called when the origins or the lock have changed. */
        this.onChange = () => {};
        this.moving = false;
        for (const [side, view] of views.entries()) {
            view.set({ reach: () => this.reach(side) });
            view.on((changed) => this.changed(side, changed));
        }
    }

    /** Returns how much later B's origin is in its trace than A's origin in its trace: in seconds, or in ticks without a rate. */
    offset() {
        const [a, b] = this.views.map((view, side) => (this.origins[side] - view.trace.state().from) / (this.inSeconds() ? view.trace.state().hz : 1));

        return b - a;
    }

    inSeconds() {
        return this.views.every((view) => view.trace.state().hz > 0);
    }

    /** Puts these moments above each other. The view of A stays.
     *  @param {number[]} origins ticks of A and of B */
    align(origins) {
        this.origins = origins;
        this.locked = true;
        this.follow(0);
        this.onChange();
    }

    /** Locks both views at their present places, or unlocks them.
     *  @param {boolean} on */
    lock(on) {
        if (on)
            this.align(this.views.map((view) => view.shown().from));
        this.locked = on;
        this.onChange();
    }

    /** Shows both whole traces. */
    showAll() {
        const { from, to } = this.reach(0);

        this.views[0].show(from, to);
        this.follow(0);
    }

    /** Returns the position in the other view that is above or below a position of a view.
     *  @param {number} side @param {number} position */
    across(side, position) {
        const [mine, other] = [side, 1 - side].map((each) => this.views[each].position(this.origins[each]));

        return other + (position - mine) * this.scale(side);
    }

    /** Returns the width of a unit of a view's axis, in units of the other view's axis.
     *  @param {number} side */
    scale(side) {
        const view = this.views[side];

        if (view.byEvent || !this.inSeconds())
            return 1;
        return this.views[1 - side].trace.state().hz / view.trace.state().hz;
    }

    /** Returns the part of a view's axis that has at least one of the traces.
     *  @param {number} side */
    reach(side) {
        const own = this.views[side].extent();
        const other = this.views[1 - side].extent();

        if (this.views[0].byEvent !== this.views[1].byEvent)
            return own;
        return { from: Math.min(own.from, this.across(1 - side, other.from)), to: Math.max(own.to, this.across(1 - side, other.to)) };
    }

    /** @param {number} side @param {Set<string>} changed */
    changed(side, changed) {
        if (this.moving || !this.locked || !(changed.has('view') || changed.has('byEvent')))
            return;
        this.follow(side);
    }

    /** Moves the other view to the place of a view.
     *  @param {number} side */
    follow(side) {
        const view = this.views[side];
        const other = this.views[1 - side];

        this.moving = true;
        try {
            other.setByEvent(view.byEvent);
            const wanted = { from: this.across(side, view.from), to: this.across(side, view.to) };

            other.show(wanted.from, wanted.to);
            // the other view has a limit of its own: it applies to both views
            if (Math.abs(other.from - wanted.from) + Math.abs(other.to - wanted.to) > (wanted.to - wanted.from) * ROUNDING)
                view.show(this.across(1 - side, other.from), this.across(1 - side, other.to));
        } finally {
            this.moving = false;
        }
    }
}
